#define _GNU_SOURCE
#include "answer.h"

#include <stdlib.h>
#include <string.h>

/* Appends bytes to the line; returns 1 at the end of the line. */
static int
read_line (struct answer *answer, const char **at, const char *end)
{
  const char *newline = memchr (*at, '\n', (size_t) (end - *at));
  const char *stop = NULL == newline ? end : newline;
  size_t room = sizeof answer->line - 1 - answer->line_length;
  size_t count = (size_t) (stop - *at) < room ? (size_t) (stop - *at) : room;
  memcpy (answer->line + answer->line_length, *at, count);
  answer->line_length += count;
  *at = NULL == newline ? end : newline + 1;
  if (NULL == newline)
    return 0;
  if (answer->line_length > 0 && '\r' == answer->line[answer->line_length - 1])
    answer->line_length--;
  answer->line[answer->line_length] = 0;
  answer->line_length = 0;
  return 1;
}

/* Returns the value of the line's field if it has this name, else NULL. */
static const char *
value (const struct answer *answer, const char *name)
{
  size_t length = strlen (name);
  if (0 != strncasecmp (answer->line, name, length) || ':' != answer->line[length])
    return NULL;
  return answer->line + length + 1 + strspn (answer->line + length + 1, " \t");
}

static int
read_status (struct answer *answer)
{
  if (0 != strncmp (answer->line, "HTTP/1.1 ", 9))
    return 0;
  answer->status = atoi (answer->line + 9);
  answer->is_chunked = 0;
  answer->left = 0;
  answer->tag = 0;
  answer->stage = STAGE_FIELD;
  return answer->status >= 200;
}

static void
read_field (struct answer *answer)
{
  const char *text;
  if (NULL != (text = value (answer, "Content-Length")))
    answer->left = strtoull (text, NULL, 10);
  else if (NULL != (text = value (answer, "Transfer-Encoding")))
    answer->is_chunked = 0 == strcasecmp (text, "chunked");
  else if (NULL != (text = value (answer, "ETag")) && '"' == *text)
    answer->tag = atol (text + 1);
}

static enum answer_event
end_answer (struct answer *answer)
{
  answer->stage = STAGE_STATUS;
  return ANSWER_END;
}

/* Handles a complete line; returns ANSWER_MORE if the line completes no event. */
static enum answer_event
take_line (struct answer *answer)
{
  int is_empty = 0 == answer->line[0];
  char *rest;
  switch (answer->stage)
  {
  case STAGE_STATUS:
    return read_status (answer) ? ANSWER_MORE : ANSWER_BROKEN;
  case STAGE_FIELD:
    if (!is_empty)
      read_field (answer);
    else if (answer->is_chunked)
      answer->stage = STAGE_CHUNK_SIZE;
    else if (answer->left > 0)
      answer->stage = STAGE_BODY;
    else
      return end_answer (answer);
    return ANSWER_MORE;
  case STAGE_CHUNK_SIZE:
    answer->left = strtoull (answer->line, &rest, 16);
    answer->stage = 0 == answer->left ? STAGE_TRAILER : STAGE_CHUNK;
    return rest == answer->line ? ANSWER_BROKEN : ANSWER_MORE;
  case STAGE_CHUNK_END:
    answer->stage = STAGE_CHUNK_SIZE;
    return is_empty ? ANSWER_MORE : ANSWER_BROKEN;
  default:
    return is_empty ? end_answer (answer) : ANSWER_MORE;
  }
}

enum answer_event
answer_read (struct answer *answer, const char **at, const char *end, const char **piece,
             size_t *length)
{
  /* A body with a length ends without a further byte. */
  if (STAGE_BODY == answer->stage && 0 == answer->left)
    return end_answer (answer);
  while (*at < end)
  {
    if (STAGE_BODY == answer->stage || STAGE_CHUNK == answer->stage)
    {
      size_t there = (size_t) (end - *at);
      *piece = *at;
      *length = there < answer->left ? there : (size_t) answer->left;
      *at += *length;
      answer->left -= *length;
      if (STAGE_CHUNK == answer->stage && 0 == answer->left)
        answer->stage = STAGE_CHUNK_END;
      return ANSWER_BODY;
    }
    if (!read_line (answer, at, end))
      return ANSWER_MORE;
    enum answer_event event = take_line (answer);
    if (ANSWER_MORE != event)
      return event;
  }
  return ANSWER_MORE;
}
