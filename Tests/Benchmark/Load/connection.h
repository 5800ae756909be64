/* Connections to the server on one epoll, and one thread. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "answer.h"
#include "events.h"

#include <stdint.h>

struct connection
{
  int socket;
  int is_stream;
  int is_busy;   /* A request waits for its answer. */
  uint64_t sent; /* When it was sent. */
  struct answer answer;
  struct events events;
  size_t start_length;
  char start[512]; /* The beginning of the answer's body. */

  /* What an answer, or an event of a stream, is for. */
  void (*handle) (struct connection *connection, uint64_t now);
  struct session *session;
  long version; /* The last that a stream has shown. */
};

/* Which port of 127.0.0.1 all connections go to. */
void connections_open (int port);

/* Ends the program where the server takes no more. */
struct connection *connection_open (void);

void connection_close (struct connection *connection);

/* Sends a request, and notes when. */
void connection_send (struct connection *connection, const char *request, size_t length);

/* Sends a request, and waits for its answer; `handle` is not called. */
void connection_ask (struct connection *connection, const char *request, size_t length);

/* Waits for what comes, as long as that at the most, and handles it. Nothing for ten seconds is a fault. */
void connections_serve (uint64_t nanoseconds);

/* The same for so many seconds. */
void connections_serve_for (double seconds);

/* The number after a name in the body's beginning, or the tag; ends the program where there is none. */
long connection_version (const struct connection *connection);

/* Copies what stands between quotes after a member's name in the body's beginning. */
void connection_text (const struct connection *connection, const char *member, char *text, size_t size);

#endif
