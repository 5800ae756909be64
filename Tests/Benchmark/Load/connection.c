#define _GNU_SOURCE
#include "connection.h"

#include "clock.h"
#include "fault.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* The longest silence of a server. */
#define PATIENCE (10 * SECOND)

static int queue = -1;
static struct sockaddr_in server = { .sin_family = AF_INET };
static uint64_t heard; /* When bytes came last. */

void
connections_open (int port)
{
  server.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  server.sin_port = htons ((uint16_t) port);
  queue = epoll_create1 (EPOLL_CLOEXEC);
  heard = clock_now ();
}

struct connection *
connection_open (void)
{
  struct connection *connection = calloc (1, sizeof *connection);
  if (NULL == connection)
    fault ("no memory for a connection");
  connection->socket = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection->socket < 0
      || 0 != connect (connection->socket, (struct sockaddr *) &server, sizeof server))
    fault ("cannot connect: %s", strerror (errno));
  int on = 1;
  setsockopt (connection->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct epoll_event event = { .events = EPOLLIN, .data.ptr = connection };
  if (0 != epoll_ctl (queue, EPOLL_CTL_ADD, connection->socket, &event))
    fault ("cannot wait for a connection: %s", strerror (errno));
  return connection;
}

void
connection_close (struct connection *connection)
{
  close (connection->socket);
  free (connection);
}

void
connection_send (struct connection *connection, const char *request, size_t length)
{
  connection->is_busy = 1;
  connection->start_length = 0;
  connection->sent = clock_now ();
  ssize_t count = send (connection->socket, request, length, MSG_NOSIGNAL);
  if (count != (ssize_t) length)
    fault ("cannot send a request: %s", strerror (errno));
}

static void
keep_start (struct connection *connection, const char *piece, size_t length)
{
  size_t room = sizeof connection->start - 1 - connection->start_length;
  size_t count = length < room ? length : room;
  memcpy (connection->start + connection->start_length, piece, count);
  connection->start_length += count;
  connection->start[connection->start_length] = 0;
}

static void
read_events (struct connection *connection, const char *piece, size_t length, uint64_t now)
{
  if (200 != connection->answer.status)
    fault ("a stream has status %d", connection->answer.status);
  const char *at = piece;
  while (events_read (&connection->events, &at, piece + length))
  {
    if (!connection->events.is_state)
      fault ("a stream has an event that is no State");
    if (connection->events.id <= connection->version)
      fault ("a stream shows version %ld after %ld", connection->events.id, connection->version);
    connection->version = connection->events.id;
    events_next (&connection->events);
    if (NULL != connection->handle)
      connection->handle (connection, now);
  }
}

static void
end_answer (struct connection *connection, uint64_t now)
{
  if (connection->is_stream)
    fault ("a stream ended, status %d", connection->answer.status);
  if (!connection->is_busy)
    fault ("an answer came that nobody asked for");
  connection->is_busy = 0;
  if (NULL != connection->handle)
    connection->handle (connection, now);
}

static void
receive (struct connection *connection)
{
  static char bytes[1 << 18];
  ssize_t count = recv (connection->socket, bytes, sizeof bytes, MSG_DONTWAIT);
  if (count < 0 && EAGAIN == errno)
    return;
  if (count <= 0)
    fault ("the server closed a connection: %s", count < 0 ? strerror (errno) : "end of file");
  heard = clock_now ();
  const char *at = bytes, *piece;
  size_t length;
  for (;;)
    switch (answer_read (&connection->answer, &at, bytes + count, &piece, &length))
    {
    case ANSWER_MORE:
      return;
    case ANSWER_BODY:
      if (connection->is_stream)
        read_events (connection, piece, length, heard);
      else
        keep_start (connection, piece, length);
      break;
    case ANSWER_END:
      end_answer (connection, heard);
      break;
    case ANSWER_BROKEN:
      fault ("an answer that is no HTTP/1.1: %s", connection->answer.line);
    }
}

void
connections_serve (uint64_t nanoseconds)
{
  struct epoll_event events[256];
  struct timespec limit = { (time_t) (nanoseconds / SECOND), (long) (nanoseconds % SECOND) };
  int count = epoll_pwait2 (queue, events, 256, &limit, NULL);
  for (int i = 0; i < count; i++)
    receive (events[i].data.ptr);
  if (count <= 0 && clock_now () - heard > PATIENCE)
    fault ("nothing came for 10 s");
}

void
connections_serve_for (double seconds)
{
  uint64_t end = clock_now () + (uint64_t) (seconds * SECOND);
  for (uint64_t now = clock_now (); now < end; now = clock_now ())
    connections_serve (end - now);
}

void
connection_ask (struct connection *connection, const char *request, size_t length)
{
  void (*handle) (struct connection *, uint64_t) = connection->handle;
  connection->handle = NULL;
  connection_send (connection, request, length);
  heard = connection->sent;
  while (connection->is_busy)
    connections_serve (SECOND);
  connection->handle = handle;
}

long
connection_version (const struct connection *connection)
{
  static const char name[] = "\"version\":";
  if (204 == connection->answer.status)
    return connection->answer.tag;
  const char *at = strstr (connection->start, name);
  if (NULL == at)
    fault ("an answer without a version: %s", connection->start);
  return atol (at + sizeof name - 1);
}

void
connection_text (const struct connection *connection, const char *member, char *text, size_t size)
{
  char name[64];
  snprintf (name, sizeof name, "\"%s\":\"", member);
  const char *at = strstr (connection->start, name);
  const char *end = NULL == at ? NULL : strchr (at + strlen (name), '"');
  if (NULL == end || (size_t) (end - at) - strlen (name) >= size)
    fault ("an answer without %s: %s", member, connection->start);
  at += strlen (name);
  memcpy (text, at, (size_t) (end - at));
  text[end - at] = 0;
}
