/* What a measurement has found, as one line of JSON. */
#ifndef REPORT_H
#define REPORT_H

#include "histogram.h"
#include "usage.h"

void report_begin (void);
void report_number (const char *name, double value);

/* Microseconds: p50_us and p99_us, or as the prefix says. */
void report_durations (const char *prefix, const struct histogram *histogram);

/* The server's processor time for each of `count`, its cores, and what the kernel's threads and others
 * took of the machine meanwhile. */
void report_usage (struct usage before, struct usage after, double count);

void report_end (void);

#endif
