#include "clock.h"
#include "fault.h"
#include "histogram.h"
#include "measurements.h"
#include "report.h"
#include "session.h"

#include <stdio.h>

static const struct options *options;
static struct session *session;
static struct connection *inputs;
static struct histogram durations; /* From sending an Input until the last stream has its version. */
static long waiting;
static uint64_t events;

/* When all streams have the version, the next Input is sent. */
static void
take_one (uint64_t now)
{
  if (--waiting > 0)
    return;
  histogram_add (&durations, now - inputs->sent);
  waiting = options->streams + 1;
  session_send (session, inputs, options);
}

static void
take_answer (struct connection *connection, uint64_t now)
{
  long version = session_answered (connection, options);
  if (version != session->version + 1)
    fault ("an Input led from version %ld to %ld", session->version, version);
  session->version = version;
  take_one (now);
}

/* The response may come before or after the event. */
static void
take_event (struct connection *connection, uint64_t now)
{
  long due = session->version + (inputs->is_busy ? 1 : 0);
  if (connection->version != due)
    fault ("a stream shows version %ld, not %ld", connection->version, due);
  events++;
  take_one (now);
}

void
measure_fan_out (const struct options *given)
{
  options = given;
  session = sessions_create (options, 1);
  inputs = connection_open ();
  inputs->handle = take_answer;
  for (long i = 0; i < options->streams; i++)
    session_follow (session)->handle = take_event;
  waiting = options->streams + 1;
  session_send (session, inputs, options);
  connections_serve_for (options->warm);
  durations = (struct histogram) { 0 };
  events = 0;
  struct usage start = usage_now (options->process);
  connections_serve_for (options->seconds);
  struct usage end = usage_now (options->process);
  report_begin ();
  report_durations ("", &durations);
  report_usage (start, end, (double) events);
  report_end ();
}
