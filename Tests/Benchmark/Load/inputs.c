#include "clock.h"
#include "fault.h"
#include "histogram.h"
#include "measurements.h"
#include "report.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>

static const struct options *options;
static struct session *sessions;
static struct histogram durations;
static uint64_t answered;
static long in_flight;
static int is_stopping;

/* One connection's share of the sessions: every n-th. If there are fewer sessions, connections share one. */
struct share
{
  long first, next;
};

static struct share *shares;
static struct connection **connections;

static void
send_next (long which)
{
  struct share *share = &shares[which];
  struct session *session = &sessions[share->next];
  share->next += options->connections;
  if (share->next >= options->sessions)
    share->next = share->first;
  in_flight++;
  session_send (session, connections[which], options);
}

/* Versions rise by one if the session has one connection, and only rise if it has several; see session_check. */
static void
check_version (struct session *session, long version)
{
  int is_shared = options->sessions < options->connections;
  if (!is_shared && version != session->version + options->batch)
    fault ("an Input led from version %ld to %ld", session->version, version);
  if (version > session->version)
    session->version = version;
}

static void
take_answer (struct connection *connection, uint64_t now)
{
  check_version (connection->session, session_answered (connection, options));
  in_flight--;
  answered++;
  histogram_add (&durations, now - connection->sent);
  if (!is_stopping)
    send_next (connection->version);
}

/* Checks that the sent Inputs, and nothing else, have changed the sessions. */
static void
check_sessions (const long *before)
{
  struct connection *connection = connection_open ();
  for (long i = 0; i < options->sessions && i < 1000; i++)
  {
    sessions[i].version = before[i] + sessions[i].sent * options->batch;
    session_check (&sessions[i], connection);
  }
}

void
measure_inputs (const struct options *given)
{
  options = given;
  sessions = sessions_create (options, options->sessions);
  long *before = calloc ((size_t) options->sessions, sizeof *before);
  shares = calloc ((size_t) options->connections, sizeof *shares);
  connections = calloc ((size_t) options->connections, sizeof *connections);
  if (NULL == before || NULL == shares || NULL == connections)
    fault ("no memory");
  for (long i = 0; i < options->sessions; i++)
    before[i] = sessions[i].version;
  for (long i = 0; i < options->connections; i++)
  {
    connections[i] = connection_open ();
    connections[i]->handle = take_answer;
    connections[i]->version = i;
    shares[i].first = shares[i].next = i % options->sessions;
  }
  for (long i = 0; i < options->connections; i++)
    send_next (i);
  connections_serve_for (options->warm);
  durations = (struct histogram) { 0 };
  answered = 0;
  struct usage start = usage_now (options->process);
  connections_serve_for (options->seconds);
  struct usage end = usage_now (options->process);
  uint64_t count = answered;
  is_stopping = 1;
  while (in_flight > 0)
    connections_serve (SECOND);
  check_sessions (before);
  report_begin ();
  report_durations ("", &durations);
  report_usage (start, end, (double) count * (double) options->batch);
  report_end ();
}
