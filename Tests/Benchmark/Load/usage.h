/* What the server, this program and the whole machine have used so far, from /proc. */
#ifndef USAGE_H
#define USAGE_H

#include <stdint.h>

/* Processor time in seconds. */
struct usage
{
  uint64_t time; /* Of the clock. */
  double server;
  double own;
  double machine; /* Of all processes and the kernel. */
  double kernel;  /* Of the kernel's threads, which write to disks, for whomever. */
  double steal;   /* What the hypervisor gave to others. */
};

/* Of the server's process, all its threads. */
struct usage usage_now (int process);

/* What is in its resident set, in KB. */
long usage_memory (int process);

#endif
