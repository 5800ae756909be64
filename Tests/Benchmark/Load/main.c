/* Loads a server on 127.0.0.1 with one thread, and prints the report as JSON.
 *
 * usage: load inputs|events|fan-out|idle --port N --process PID [OPTION VALUE ...]
 *   --view-model NAME   of the sessions (counter-sync)
 *   --setup JSON        sent first to each session
 *   --input JSON        the measured Input ("increase"); $id, at most once, stands for the first id in the session's State
 *   --other-input JSON  sent alternately with it
 *   --batch N           the number of Inputs in each of these (1)
 *   --header FIELD      sent with each of these, such as "Prefer: return=minimal", for which 204 is expected
 *   --connections N     of inputs (64)
 *   --sessions N        of inputs, events and idle (64)
 *   --streams N         of fan-out (1000); with 0, idle opens none
 *   --idle N            of events: further, idle sessions with a stream each (0)
 *   --rate N            of events: Inputs per second (1000)
 *   --warm S            the seconds before the measurement (1)
 *   --seconds S         the seconds of the measurement (5)
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
