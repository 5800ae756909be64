/* A log in SQLite: one thread commits all waiting Inputs with one sync, and then resumes their connections. */
#ifndef STORE_H
#define STORE_H

#include "request.h"

/* Returns false, with a message, if SQLite fails. */
int store_open (const char *path);

/* Returns whether Inputs are stored. */
int store_is_open (void);

/* Queues an Input whose connection is suspended; it is resumed when the Input is stored. */
void store_add (struct request *request);

#endif
