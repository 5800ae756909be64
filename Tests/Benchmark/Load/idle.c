#include "clock.h"
#include "fault.h"
#include "measurements.h"
#include "report.h"
#include "session.h"

#include <stdlib.h>
#include <time.h>

/* How many sessions are checked afterwards. */
#define PROBES 100

static int shown;

static void
take_event (struct connection *connection, uint64_t now)
{
  (void) connection;
  (void) now;
  shown++;
}

static void
rest (double seconds)
{
  struct timespec time = { (time_t) seconds, (long) ((seconds - (double) (time_t) seconds) * 1e9) };
  nanosleep (&time, NULL);
}

/* The first sessions only warm up the server: their memory is not counted. */
static void
warm_up (const struct options *options)
{
  struct session *sessions = sessions_create (options, PROBES);
  for (long i = 0; i < PROBES; i++)
    session_follow (&sessions[i]);
}

static void
probe (const struct options *options, struct session *sessions, struct connection **streams)
{
  struct connection *connection = connection_open ();
  int count = options->sessions < PROBES ? (int) options->sessions : PROBES;
  for (long i = 0; i < count; i++)
  {
    session_check (&sessions[i], connection);
    if (options->streams == 0)
      continue;
    streams[i]->handle = take_event;
    session_send (&sessions[i], connection, options);
    while (connection->is_busy || shown <= i)
      connections_serve (SECOND);
    if (session_answered (connection, options) != streams[i]->version)
      fault ("an idle stream does not show what happens");
  }
}

void
measure_idle (const struct options *options)
{
  warm_up (options);
  rest (options->settle);
  struct usage start = usage_now (options->process);
  long before = usage_memory (options->process);
  struct session *sessions = sessions_create (options, options->sessions);
  struct connection **streams = calloc ((size_t) options->sessions, sizeof *streams);
  if (NULL == streams)
    fault ("no memory");
  rest (options->settle);
  long created = usage_memory (options->process);
  for (long i = 0; i < options->sessions && options->streams > 0; i++)
    streams[i] = session_follow (&sessions[i]);
  long followed = usage_memory (options->process);
  struct usage end = usage_now (options->process);
  probe (options, sessions, streams);
  report_begin ();
  report_number ("session_kb", (double) (created - before) / (double) options->sessions);
  report_number ("followed_kb", (double) (followed - before) / (double) options->sessions);
  report_usage (start, end, (double) options->sessions);
  report_end ();
}
