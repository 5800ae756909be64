/* Reads HTTP/1.1 responses from pieces of any size (RFC 9112, sections 4, 6 and 7). */
#ifndef ANSWER_H
#define ANSWER_H

#include <stddef.h>
#include <stdint.h>

enum answer_event
{
  ANSWER_MORE,  /* All bytes are read. */
  ANSWER_BODY,  /* A piece of the body. */
  ANSWER_END,   /* The response is complete; the next one begins. */
  ANSWER_BROKEN /* The bytes are not HTTP. */
};

enum answer_stage
{
  STAGE_STATUS,
  STAGE_FIELD,
  STAGE_BODY,
  STAGE_CHUNK_SIZE,
  STAGE_CHUNK,
  STAGE_CHUNK_END,
  STAGE_TRAILER
};

/* Zeroed at first. */
struct answer
{
  enum answer_stage stage;
  int status;
  int is_chunked;
  uint64_t left; /* Of the body, or of the chunk. */
  long tag;      /* The number in ETag; 0 if there is none. */
  size_t line_length;
  char line[128]; /* The beginning of the line; the rest of a longer one is ignored. */
};

/* Reads from `*at` up to the next event; for ANSWER_BODY, `*piece` and `*length` give the bytes. */
enum answer_event answer_read (struct answer *answer, const char **at, const char *end,
                               const char **piece, size_t *length);

#endif
