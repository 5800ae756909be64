/* Loads a server on 127.0.0.1 with one thread, and prints what that has found as JSON.
 *
 * usage: load inputs|events|fan-out|idle --port N --process PID [OPTION VALUE ...]
 *   --view-model NAME   whose sessions (counter-sync)
 *   --setup JSON        what each session is sent first
 *   --input JSON        what is measured ("increase"); $id, which may stand in it once, is the id of the first thing in the session's State
 *   --other-input JSON  sent in turn with it
 *   --batch N           how many Inputs each of these is (1)
 *   --header FIELD      with each of these, such as "Prefer: return=minimal", which is then answered 204
 *   --connections N     of inputs (64)
 *   --sessions N        of inputs, events and idle (64)
 *   --streams N         of fan-out (1000); 0 has idle open none
 *   --idle N            of events: more sessions with a stream each, in which nothing happens (0)
 *   --rate N            of events: Inputs in a second (1000)
 *   --warm S            for how many seconds nothing is measured (1)
 *   --seconds S         for how many it is (5)
 *   --settle S          how long idle waits before it reads memory (0) */
#include "connection.h"
#include "measurements.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

int
main (int count, char **arguments)
{
  static const struct
  {
    const char *name;
    void (*measure) (const struct options *options);
  } measurements[] = {
    { "inputs", measure_inputs },
    { "events", measure_events },
    { "fan-out", measure_fan_out },
    { "idle", measure_idle },
  };
  signal (SIGPIPE, SIG_IGN);
  for (size_t i = 0; count > 1 && i < sizeof measurements / sizeof measurements[0]; i++)
    if (0 == strcmp (arguments[1], measurements[i].name))
    {
      struct options options = options_read (count - 2, arguments + 2);
      connections_open (options.port);
      measurements[i].measure (&options);
      return 0;
    }
  fprintf (stderr, "usage: load inputs|events|fan-out|idle --port N --process PID [OPTION VALUE ...]\n");
  return 2;
}
