/* The measurements; each prints its report, and ends the program at the first fault. */
#ifndef MEASUREMENTS_H
#define MEASUREMENTS_H

#include "options.h"

/* Each connection sends its next Input after the last response, to its share of the sessions in turn. */
void measure_inputs (const struct options *options);

/* Sends Inputs at a fixed rate; measures from when each is due until a stream has its version. */
void measure_events (const struct options *options);

/* One session with many streams: sends the next Input when all streams have the last version. */
void measure_fan_out (const struct options *options);

/* The memory of idle sessions, without streams and with one stream each. */
void measure_idle (const struct options *options);

#endif
