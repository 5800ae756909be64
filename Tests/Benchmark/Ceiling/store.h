/* A log in SQLite: one thread commits all Inputs that wait with one sync, and then has them answered. */
#ifndef STORE_H
#define STORE_H

#include "request.h"

/* False, with a message, where SQLite refuses. */
int store_open (const char *path);

/* Whether Inputs are stored at all. */
int store_is_open (void);

/* Queues an Input whose connection is suspended; it is resumed when the Input is stored. */
void store_add (struct request *request);

#endif
