/* What can be measured; each prints its report, and ends the program at the first fault. */
#ifndef MEASUREMENTS_H
#define MEASUREMENTS_H

#include "options.h"

/* Each connection sends its next Input when the last is answered, to its share of the sessions in turn. */
void measure_inputs (const struct options *options);

/* Inputs at a fixed rate, from when each was due to when a stream has shown what it led to. */
void measure_events (const struct options *options);

/* One session with many streams: the next Input is sent when all have shown the last. */
void measure_fan_out (const struct options *options);

/* The memory of sessions in which nothing happens, without streams and with one each. */
void measure_idle (const struct options *options);

#endif
