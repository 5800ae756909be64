/* Connections to the server, on one epoll and one thread. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "answer.h"
#include "events.h"

#include <stdint.h>

struct connection
{
  int socket;
  int is_stream;
  int is_busy;   /* A request waits for its response. */
  uint64_t sent; /* When the request was sent. */
  struct answer answer;
  struct events events;
  size_t start_length;
  char start[512]; /* The beginning of the response's body. */

  /* Called for each response, or each event of a stream. */
  void (*handle) (struct connection *connection, uint64_t now);
  struct session *session;
  long version; /* The last one that the stream has sent. */
};

/* Sets the port of 127.0.0.1 for all connections. */
void connections_open (int port);

/* Ends the program if the server accepts no more. */
struct connection *connection_open (void);

void connection_close (struct connection *connection);

/* Sends a request, and records the time. */
void connection_send (struct connection *connection, const char *request, size_t length);

/* Sends a request, and waits for its response; does not call `handle`. */
void connection_ask (struct connection *connection, const char *request, size_t length);

/* Handles what arrives within a time. Ten seconds of silence are a fault. */
void connections_serve (uint64_t nanoseconds);

/* Handles what arrives, for so many seconds. */
void connections_serve_for (double seconds);

/* Returns the version in the body's beginning, or that of ETag; ends the program if there is none. */
long connection_version (const struct connection *connection);

/* Copies a string member from the body's beginning. */
void connection_text (const struct connection *connection, const char *member, char *text, size_t size);

#endif
