/* The C library's allocator for Swift, where it can be asked to give memory back. */
#ifndef CMALLOC_SHIM_H
#define CMALLOC_SHIM_H

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* malloc_trim(3), an extension of GNU's; elsewhere nothing. */
static inline void
cmalloc_trim (void)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

#endif
