#include "request.h"

#include "store.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "/sessions/"
#define ID_AT (sizeof PREFIX - 1)
#define REST_AT (ID_AT + 32)

static enum MHD_Result
answer (struct MHD_Connection *connection, unsigned status, const char *body, int length)
{
  struct MHD_Response *response = MHD_create_response_from_buffer (
      (size_t) length, (void *) body, MHD_RESPMEM_MUST_COPY);
  MHD_add_response_header (response, "Content-Type", "application/json");
  enum MHD_Result result = MHD_queue_response (connection, status, response);
  MHD_destroy_response (response);
  return result;
}

static enum MHD_Result
refuse (struct MHD_Connection *connection, unsigned status)
{
  return answer (connection, status, "{}", 2);
}

/* Returns the session that a target names, and what follows its id; NULL if there is none. */
static struct session *
find (const char *target, const char **rest)
{
  if (0 != strncmp (target, PREFIX, ID_AT) || strlen (target) < REST_AT)
    return NULL;
  *rest = target + REST_AT;
  return session_find (target + ID_AT);
}

static enum MHD_Result
show (struct loop *loop, struct MHD_Connection *connection, const char *target)
{
  const char *rest = "";
  struct session *session = find (target, &rest);
  if (NULL == session)
    return refuse (connection, MHD_HTTP_NOT_FOUND);
  if (0 == strcmp (rest, "/events"))
    return stream_open (loop, connection, session);
  char text[TEXT_SIZE];
  return answer (connection, MHD_HTTP_OK, text, session_text (text, session, session->version));
}

static struct request *
begin (struct loop *loop, struct MHD_Connection *connection, const char *target)
{
  struct request *request = malloc (sizeof *request);
  if (NULL == request)
    return NULL;
  const char *rest = "";
  request->session = find (target, &rest);
  request->loop = loop;
  request->connection = connection;
  request->length = 0;
  request->version = 0;
  atomic_init (&request->is_stored, 0);
  request->kind = REQUEST_UNKNOWN;
  if (0 == strcmp (target, "/sessions"))
    request->kind = REQUEST_CREATE;
  else if (NULL != request->session && 0 == strcmp (rest, "/inputs"))
    request->kind = REQUEST_INPUT;
  return request;
}

static int
body_is (const struct request *request, const char *text)
{
  return request->length == strlen (text) && 0 == memcmp (request->body, text, request->length);
}

static enum MHD_Result
create (struct request *request)
{
  struct session *session = NULL;
  if (body_is (request, "{\"viewModel\":\"counter-sync\"}"))
    session = session_create ();
  if (NULL == session)
    return refuse (request->connection, MHD_HTTP_BAD_REQUEST);
  char text[TEXT_SIZE];
  return answer (request->connection, MHD_HTTP_CREATED, text, session_text (text, session, 1));
}

static enum MHD_Result
take_up (struct request *request)
{
  if (!body_is (request, "\"increase\""))
    return refuse (request->connection, MHD_HTTP_BAD_REQUEST);
  if (store_is_open () && !atomic_load (&request->is_stored))
  {
    MHD_suspend_connection (request->connection);
    store_add (request);
    return MHD_YES;
  }
  if (!store_is_open ())
  {
    request->version = session_increase (request->session);
    session_show (request->session, request->version);
  }
  char text[TEXT_SIZE];
  return answer (request->connection, MHD_HTTP_OK, text,
                 session_text (text, NULL, request->version));
}

enum MHD_Result
request_answer (void *loop, struct MHD_Connection *connection, const char *target,
                const char *method, const char *protocol, const char *part, size_t *size,
                void **context)
{
  (void) protocol;
  struct request *request = *context;
  /* Not at the first call: the library would close the connection after the response. */
  if (NULL == request)
  {
    *context = begin (loop, connection, target);
    return NULL == *context ? MHD_NO : MHD_YES;
  }
  if (0 != *size)
  {
    size_t room = sizeof request->body - request->length;
    size_t count = *size < room ? *size : room;
    memcpy (request->body + request->length, part, count);
    request->length += count;
    *size = 0;
    return MHD_YES;
  }
  if (0 == strcmp (method, "GET"))
    return show (loop, connection, target);
  switch (request->kind)
  {
  case REQUEST_CREATE:
    return create (request);
  case REQUEST_INPUT:
    return take_up (request);
  default:
    return refuse (connection, MHD_HTTP_NOT_FOUND);
  }
}

void
request_end (void *context, struct MHD_Connection *connection, void **request,
             enum MHD_RequestTerminationCode reason)
{
  (void) context;
  (void) connection;
  (void) reason;
  free (*request);
  *request = NULL;
}
