#include "events.h"

#include <stdlib.h>
#include <string.h>

static int
begins (const char *line, const char *start)
{
  return 0 == strncmp (line, start, strlen (start));
}

static void
take_line (struct events *events)
{
  if (begins (events->line, "id: "))
    events->id = atol (events->line + 4);
  else if (0 == strcmp (events->line, "event: state"))
    events->is_state = 1;
  else if (begins (events->line, "event: "))
    events->is_other = 1;
}

int
events_read (struct events *events, const char **at, const char *end)
{
  while (*at < end)
  {
    const char *newline = memchr (*at, '\n', (size_t) (end - *at));
    const char *stop = NULL == newline ? end : newline;
    size_t room = sizeof events->line - 1 - events->line_length;
    size_t count = (size_t) (stop - *at) < room ? (size_t) (stop - *at) : room;
    memcpy (events->line + events->line_length, *at, count);
    events->line_length += count;
    *at = NULL == newline ? end : newline + 1;
    if (NULL == newline)
      return 0;
    events->line[events->line_length] = 0;
    int is_empty = 0 == events->line_length;
    events->line_length = 0;
    if (!is_empty)
      take_line (events);
    else if (events->is_state || events->is_other)
      return 1;
  }
  return 0;
}

void
events_next (struct events *events)
{
  events->is_state = events->is_other = 0;
}
