/* The processor time of the server, this program and the whole machine so far, from /proc. */
#ifndef USAGE_H
#define USAGE_H

#include <stdint.h>

/* Processor time in seconds. */
struct usage
{
  uint64_t time; /* The time of measuring. */
  double server;
  double own;
  double machine; /* All processes and the kernel. */
  double kernel;  /* The kernel's threads, which write to disks for any process. */
  double steal;   /* The time that the hypervisor gave to other machines. */
};

/* Reads the present usage; `process` is the server's. */
struct usage usage_now (int process);

/* Returns the resident memory of a process, in KB. */
long usage_memory (int process);

#endif
