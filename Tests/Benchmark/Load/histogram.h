/* How often each duration was measured, in buckets with a width of 1/64 of their value. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_STEPS 64
#define HISTOGRAM_BUCKETS (HISTOGRAM_STEPS * 59)

struct histogram
{
  uint64_t count;
  uint64_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_add (struct histogram *histogram, uint64_t value);

/* Returns the value that a part (0 to 1) of all values does not exceed, as the middle of its bucket; 0 if empty. */
double histogram_quantile (const struct histogram *histogram, double part);

#endif
