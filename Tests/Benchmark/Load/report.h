/* The report of a measurement, as one line of JSON. */
#ifndef REPORT_H
#define REPORT_H

#include "histogram.h"
#include "usage.h"

void report_begin (void);
void report_number (const char *name, double value);

/* Reports quantiles in microseconds: p50_us and p99_us, with the prefix. */
void report_durations (const char *prefix, const struct histogram *histogram);

/* Reports the server's processor time for each of `count`, its cores, and the cores that the kernel's threads and
 * other processes used meanwhile. */
void report_usage (struct usage before, struct usage after, double count);

void report_end (void);

#endif
