/* zlib for Swift: the library's header, and wrappers of macros that Swift cannot call. */
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

/* A macro with a cast. 15 window bits, plus 16 for the gzip format (RFC 1952). */
static inline int
czl_deflate_init_gzip (z_stream *stream)
{
  return deflateInit2 (stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

/* The same for raw blocks, without header and trailer (RFC 1951), with a window of 2^bits bytes. */
static inline int
czl_deflate_init_raw (z_stream *stream, int bits, int memory)
{
  return deflateInit2 (stream, Z_BEST_SPEED, Z_DEFLATED, -bits, memory, Z_DEFAULT_STRATEGY);
}

#endif
