#include "stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Guard of all members: the session's lock. */
struct stream
{
  struct stream *next, **previous;
  struct session *session;
  struct loop *loop;
  struct MHD_Connection *connection;
  struct snapshot *snapshot; /* The one that is sent, or that was sent last. */
  size_t sent;
  bool is_suspended;
};

void
streams_wake (struct stream *first)
{
  for (struct stream *stream = first; NULL != stream; stream = stream->next)
    if (stream->is_suspended)
    {
      stream->is_suspended = false;
      loop_resume (stream->loop, stream->connection);
    }
}

static ssize_t
read_stream (void *context, uint64_t position, char *buffer, size_t size)
{
  (void) position;
  struct stream *stream = context;
  struct session *session = stream->session;
  pthread_mutex_lock (&session->lock);
  if (stream->sent == stream->snapshot->length && stream->snapshot != session->newest)
  {
    snapshot_release (stream->snapshot);
    stream->snapshot = session->newest;
    stream->snapshot->uses++;
    stream->sent = 0;
  }
  size_t count = stream->snapshot->length - stream->sent;
  if (count > size)
    count = size;
  memcpy (buffer, stream->snapshot->event + stream->sent, count);
  stream->sent += count;
  if (0 == count)
  {
    stream->is_suspended = true;
    MHD_suspend_connection (stream->connection);
  }
  pthread_mutex_unlock (&session->lock);
  return (ssize_t) count;
}

static void
close_stream (void *context)
{
  struct stream *stream = context;
  struct session *session = stream->session;
  pthread_mutex_lock (&session->lock);
  *stream->previous = stream->next;
  if (NULL != stream->next)
    stream->next->previous = stream->previous;
  snapshot_release (stream->snapshot);
  pthread_mutex_unlock (&session->lock);
  free (stream);
}

enum MHD_Result
stream_open (struct loop *loop, struct MHD_Connection *connection, struct session *session)
{
  struct stream *stream = calloc (1, sizeof *stream);
  if (NULL == stream)
    return MHD_NO;
  stream->session = session;
  stream->loop = loop;
  stream->connection = connection;
  pthread_mutex_lock (&session->lock);
  stream->snapshot = session->newest;
  stream->snapshot->uses++;
  stream->previous = &session->streams;
  stream->next = session->streams;
  if (NULL != stream->next)
    stream->next->previous = &stream->next;
  session->streams = stream;
  pthread_mutex_unlock (&session->lock);
  struct MHD_Response *response = MHD_create_response_from_callback (
      MHD_SIZE_UNKNOWN, 1024, read_stream, stream, close_stream);
  MHD_add_response_header (response, "Content-Type", "text/event-stream");
  MHD_add_response_header (response, "Cache-Control", "no-store");
  enum MHD_Result result = MHD_queue_response (connection, MHD_HTTP_OK, response);
  MHD_destroy_response (response);
  return result;
}
