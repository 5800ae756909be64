/* How often each duration was measured, in buckets that are 1/64 of their value wide. */
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

/* The value that a part (0 to 1) of all values does not exceed, to a bucket's middle; 0 where there is none. */
double histogram_quantile (const struct histogram *histogram, double part);

#endif
