/* Time in nanoseconds since an arbitrary moment. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <time.h>

#define SECOND 1000000000ull

static inline uint64_t
clock_now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * SECOND + (uint64_t) time.tv_nsec;
}

#endif
