#define _GNU_SOURCE
#include "clock.h"
#include "fault.h"
#include "histogram.h"
#include "measurements.h"
#include "report.h"
#include "session.h"

#include <stdlib.h>
#include <sys/prctl.h>

/* How many Inputs of one session may be late before the server counts as too slow. */
#define BACKLOG 1024

/* A session whose stream is measured. Its Inputs are numbered by their versions. */
struct pair
{
  struct connection *inputs, *stream;
  uint64_t due[BACKLOG]; /* When the Input of a version is due. */
  long scheduled, shown; /* Versions. */
};

static const struct options *options;
static struct session *sessions;
static struct pair *pairs;
static struct histogram durations;
static uint64_t measured_from;
static long events, missing;

static void
send_due (long which)
{
  struct session *session = &sessions[which];
  if (!pairs[which].inputs->is_busy && session->version < pairs[which].scheduled)
    session_send (session, pairs[which].inputs, options);
}

static void
take_answer (struct connection *connection, uint64_t now)
{
  (void) now;
  struct session *session = connection->session;
  long version = session_answered (connection, options);
  if (version != session->version + 1)
    fault ("an Input led from version %ld to %ld", session->version, version);
  session->version = version;
  send_due (session - sessions);
}

/* A stream may skip to the newest State, which also shows the skipped ones. */
static void
take_event (struct connection *connection, uint64_t now)
{
  struct pair *pair = &pairs[connection->session - sessions];
  if (connection->version > pair->scheduled)
    fault ("a stream shows version %ld, which nobody asked for", connection->version);
  for (long version = pair->shown + 1; version <= connection->version; version++)
  {
    uint64_t due = pair->due[version % BACKLOG];
    missing--;
    if (due < measured_from)
      continue;
    histogram_add (&durations, now - due);
    events++;
  }
  pair->shown = connection->version;
}

static void
schedule (long which, uint64_t due)
{
  struct pair *pair = &pairs[which];
  if (pair->scheduled - pair->shown >= BACKLOG - 1)
    fault ("%d Inputs of a session wait: the server is too slow for this rate", BACKLOG);
  pair->scheduled++;
  pair->due[pair->scheduled % BACKLOG] = due;
  missing++;
  send_due (which);
}

/* Sends Inputs from `start` on, for so many seconds: each when it is due, or at once if it is late. */
static void
send_at_rate (uint64_t start, double seconds, long *next)
{
  double step = (double) SECOND / options->rate;
  long count = (long) (seconds * options->rate);
  for (long i = 0; i < count;)
  {
    uint64_t due = start + (uint64_t) ((double) i * step), now = clock_now ();
    if (now < due)
    {
      connections_serve (due - now);
      continue;
    }
    schedule (*next, due);
    *next = (*next + 1) % options->sessions;
    /* Arrived events must not wait for late Inputs. */
    if (++i % 16 == 0)
      connections_serve (0);
  }
}

/* Opens the idle streams first: a server may close a connection that waits too long. */
static void
follow_all (void)
{
  struct session *idle = sessions_create (options, options->idle);
  for (long i = 0; i < options->idle; i++)
    session_follow (&idle[i]);
  sessions = sessions_create (options, options->sessions);
  pairs = calloc ((size_t) options->sessions, sizeof *pairs);
  if (NULL == pairs)
    fault ("no memory");
  for (long i = 0; i < options->sessions; i++)
  {
    pairs[i].inputs = connection_open ();
    pairs[i].inputs->handle = take_answer;
    pairs[i].stream = session_follow (&sessions[i]);
    pairs[i].stream->handle = take_event;
    pairs[i].scheduled = pairs[i].shown = sessions[i].version;
  }
}

void
measure_events (const struct options *given)
{
  options = given;
  prctl (PR_SET_TIMERSLACK, 1);
  follow_all ();
  long next = 0;
  measured_from = UINT64_MAX;
  send_at_rate (clock_now (), options->warm, &next);
  struct usage start = usage_now (options->process);
  measured_from = clock_now ();
  send_at_rate (measured_from, options->seconds, &next);
  struct usage end = usage_now (options->process);
  while (missing > 0)
    connections_serve (SECOND);
  report_begin ();
  report_durations ("", &durations);
  report_usage (start, end, (double) events);
  report_end ();
}
