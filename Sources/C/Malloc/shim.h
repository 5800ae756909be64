/* Functions of the C library that Swift does not import. */
#ifndef CMALLOC_SHIM_H
#define CMALLOC_SHIM_H

#include <stdlib.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* malloc_trim(3), a GNU extension; does nothing elsewhere. */
static inline void
cmalloc_trim (void)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

/* fork(2): the child has none of its parent's other threads, and may wait for a lock that one of them held; it has a
   second to call alarm(2) again. */
static inline pid_t
cmalloc_fork (void)
{
  pid_t id = fork ();

  if (id == 0)
    alarm (1);
  return id;
}

#endif
