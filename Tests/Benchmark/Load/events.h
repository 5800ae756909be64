/* Reads server-sent events from pieces of a stream (WHATWG HTML, section 9.2), as far as needed here. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stddef.h>

/* Zeroed at first. */
struct events
{
  long id;
  int is_state; /* The present event has the name "state". */
  int is_other; /* It has another name. */
  size_t line_length;
  char line[32]; /* The beginning of the line: enough for an id. */
};

/* Reads from `*at`: returns 1 at the end of an event, which `events` then has; 0 when all bytes are read. */
int events_read (struct events *events, const char **at, const char *end);

/* Forgets the event after it was handled. */
void events_next (struct events *events);

#endif
