/* The C library's allocator for Swift, to make it return memory to the system. */
#ifndef CMALLOC_SHIM_H
#define CMALLOC_SHIM_H

#include <stdlib.h>

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

#endif
