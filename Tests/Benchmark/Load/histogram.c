#include "histogram.h"

/* Up to 2 * STEPS each value has its own bucket; from there on each power of two has STEPS of them. */
static unsigned
bucket_of (uint64_t value)
{
  if (value < 2 * HISTOGRAM_STEPS)
    return (unsigned) value;
  int shift = 63 - __builtin_clzll (value) - 6;
  return (unsigned) (shift * HISTOGRAM_STEPS) + (unsigned) (value >> shift);
}

static double
middle_of (unsigned bucket)
{
  if (bucket < 2 * HISTOGRAM_STEPS)
    return bucket;
  unsigned shift = bucket / HISTOGRAM_STEPS - 1;
  double width = (double) (1ull << shift);
  return (bucket - shift * HISTOGRAM_STEPS) * width + (width - 1) / 2;
}

void
histogram_add (struct histogram *histogram, uint64_t value)
{
  histogram->count++;
  histogram->buckets[bucket_of (value)]++;
}

double
histogram_quantile (const struct histogram *histogram, double part)
{
  uint64_t seen = 0;
  for (unsigned bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++)
  {
    seen += histogram->buckets[bucket];
    if (seen > 0 && (double) seen >= part * (double) histogram->count)
      return middle_of (bucket);
  }
  return 0;
}
