#define _GNU_SOURCE
#include "session.h"

#include "clock.h"
#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST "Host: 127.0.0.1\r\n"

/* A request in which ids are replaced in place, as all ids of one kind have the same length. */
struct template
{
  char *text;
  size_t length;
  size_t id_at, item_at; /* `item_at` is 0 if the request has no $id. */
};

static char *
post (const char *target, const char *header, const char *body, size_t *length)
{
  char *text;
  int count = asprintf (&text,
                        "POST %s HTTP/1.1\r\n" HOST "%s%s"
                        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                        target, NULL == header ? "" : header, NULL == header ? "" : "\r\n",
                        strlen (body), body);
  if (count < 0)
    fault ("no memory for a request");
  *length = (size_t) count;
  return text;
}

static struct template
make_template (const struct session *session, const char *input, const char *header)
{
  struct template made = { .id_at = sizeof "POST /sessions/" - 1 };
  char target[128], *body;
  const char *sign = strstr (input, "$id");
  int before = (int) (NULL == sign ? strlen (input) : (size_t) (sign - input));
  int count = asprintf (&body, "%.*s%s%s", before, input, NULL == sign ? "" : session->item,
                        NULL == sign ? "" : sign + 3);
  if (count < 0)
    fault ("no memory for an Input");
  snprintf (target, sizeof target, "/sessions/%s/inputs", session->id);
  made.text = post (target, header, body, &made.length);
  if (NULL != sign)
    made.item_at = made.length - (size_t) count + (size_t) before;
  free (body);
  return made;
}

void
session_send (struct session *session, struct connection *connection, const struct options *options)
{
  static struct template templates[2];
  int which = NULL != options->inputs[1] && session->sent % 2 == 1;
  struct template *template = &templates[which];
  if (NULL == template->text)
    *template = make_template (session, options->inputs[which], options->header);
  memcpy (template->text + template->id_at, session->id, strlen (session->id));
  if (0 != template->item_at)
    memcpy (template->text + template->item_at, session->item, strlen (session->item));
  session->sent++;
  connection->session = session;
  connection_send (connection, template->text, template->length);
}

long
session_answered (const struct connection *connection, const struct options *options)
{
  int due = NULL == options->header ? 200 : 204;
  if (due != connection->answer.status)
    fault ("an Input was answered %d: %s", connection->answer.status, connection->start);
  return connection_version (connection);
}

static void
set_up (struct session *session, struct connection *connection, const struct options *options)
{
  char target[128];
  size_t length;
  snprintf (target, sizeof target, "/sessions/%s/inputs", session->id);
  char *request = post (target, NULL, options->setup, &length);
  connection_ask (connection, request, length);
  free (request);
  if (200 != connection->answer.status)
    fault ("what a session begins with was answered %d: %s", connection->answer.status,
           connection->start);
  session->version = connection_version (connection);
  if (NULL != strstr (options->inputs[0], "$id"))
    connection_text (connection, "id", session->item, sizeof session->item);
}

struct session *
sessions_create (const struct options *options, long count)
{
  struct session *sessions = calloc ((size_t) count, sizeof *sessions);
  char body[128];
  size_t length;
  if (NULL == sessions)
    fault ("no memory for sessions");
  snprintf (body, sizeof body, "{\"viewModel\":\"%s\"}", options->view_model);
  char *request = post ("/sessions", NULL, body, &length);
  struct connection *connection = connection_open ();
  for (long i = 0; i < count; i++)
  {
    connection_ask (connection, request, length);
    if (201 != connection->answer.status)
      fault ("a session was refused, %d: %s", connection->answer.status, connection->start);
    connection_text (connection, "id", sessions[i].id, sizeof sessions[i].id);
    sessions[i].version = connection_version (connection);
    if (strlen (sessions[i].id) != strlen (sessions[0].id))
      fault ("ids of different lengths");
    if (NULL != options->setup)
      set_up (&sessions[i], connection, options);
  }
  connection_close (connection);
  free (request);
  return sessions;
}

static size_t
get (char *text, size_t size, const struct session *session, const char *rest)
{
  return (size_t) snprintf (text, size, "GET /sessions/%s%s HTTP/1.1\r\n" HOST "\r\n", session->id,
                            rest);
}

struct connection *
session_follow (struct session *session)
{
  struct connection *connection = connection_open ();
  char text[256];
  connection->is_stream = 1;
  connection->session = session;
  connection_send (connection, text, get (text, sizeof text, session, "/events"));
  while (0 == connection->version)
    connections_serve (SECOND);
  if (connection->version != session->version)
    fault ("a stream begins with version %ld, not %ld", connection->version, session->version);
  return connection;
}

void
session_check (const struct session *session, struct connection *connection)
{
  char text[256];
  connection_ask (connection, text, get (text, sizeof text, session, ""));
  if (200 != connection->answer.status || connection_version (connection) != session->version)
    fault ("a session should have version %ld: %d %s", session->version, connection->answer.status,
           connection->start);
}
