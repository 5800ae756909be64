/* Reads server-sent events out of pieces of a stream (WHATWG HTML section 9.2), as far as it is measured. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stddef.h>

/* Zeroed at first. */
struct events
{
  long id;
  int is_state; /* The event at hand is called "state". */
  int is_other; /* It is called otherwise. */
  size_t line_length;
  char line[32]; /* A line's beginning: enough for an id. */
};

/* Reads on from `*at`: 1 at an event's end, which `events` then has; 0 where all bytes are read. */
int events_read (struct events *events, const char **at, const char *end);

/* Forgets the event, as it has been taken. */
void events_next (struct events *events);

#endif
