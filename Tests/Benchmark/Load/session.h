/* Sessions of the server, and what is sent to them. */
#ifndef SESSION_H
#define SESSION_H

#include "connection.h"
#include "options.h"

#include <stddef.h>

#define ID_SIZE 48

struct session
{
  char id[ID_SIZE];
  char item[ID_SIZE]; /* The id of the first thing in its State, which stands for $id in an Input. */
  long version;       /* The last that is known. */
  long sent;          /* Requests with Inputs. */
};

/* Creates sessions, and sends each what it is to begin with. */
struct session *sessions_create (const struct options *options, long count);

/* Sends the session's next Input; `handle` is called with the answer. */
void session_send (struct session *session, struct connection *connection,
                   const struct options *options);

/* The version that the answer tells; any other status than the one that is due is a fault. */
long session_answered (const struct connection *connection, const struct options *options);

/* Opens a stream, and waits for its first event. */
struct connection *session_follow (struct session *session);

/* Asks for the session; another version than the one that is known is a fault. */
void session_check (const struct session *session, struct connection *connection);

#endif
