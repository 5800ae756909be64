/* Sessions of the server, and the requests to them. */
#ifndef SESSION_H
#define SESSION_H

#include "connection.h"
#include "options.h"

#include <stddef.h>

#define ID_SIZE 48

struct session
{
  char id[ID_SIZE];
  char item[ID_SIZE]; /* The first id in its State, which replaces $id in an Input. */
  long version;       /* The last known one. */
  long sent;          /* Requests with Inputs. */
};

/* Creates sessions, and sends each the setup. */
struct session *sessions_create (const struct options *options, long count);

/* Sends the session's next Input; `handle` is called with the response. */
void session_send (struct session *session, struct connection *connection,
                   const struct options *options);

/* Returns the version in the response; an unexpected status is a fault. */
long session_answered (const struct connection *connection, const struct options *options);

/* Opens a stream, and waits for its first event. */
struct connection *session_follow (struct session *session);

/* Reads the session; a version other than the known one is a fault. */
void session_check (const struct session *session, struct connection *connection);

#endif
