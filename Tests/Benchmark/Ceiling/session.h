/* Sessions of a counter in memory, with what the service says of its own. */
#ifndef SESSION_H
#define SESSION_H

#include <pthread.h>
#include <stddef.h>

/* Enough for each text that is made of a session. */
#define TEXT_SIZE 256

/* One event, shared by all streams that are to send it. */
struct snapshot
{
  int uses; /* Guard: the session's lock. */
  long version;
  size_t length;
  char event[TEXT_SIZE];
};

struct stream;

struct session
{
  struct session *next;
  char id[33];
  pthread_mutex_t lock;
  long version;
  struct snapshot *newest;
  struct stream *streams;
};

/* NULL where there is no memory. */
struct session *session_create (void);

/* NULL where there is none; `id` has 32 characters. */
struct session *session_find (const char *id);

/* Counts one up, and gives the new version, which nobody sees yet. */
long session_increase (struct session *session);

/* Makes a version the newest, and wakes the streams; one that is older than the newest changes nothing. */
void session_show (struct session *session, long version);

/* The body of an answer; its length. */
int session_text (char *text, const struct session *session, long version);

/* The State alone, as it is stored; its length. */
int state_text (char *text, long version);

/* Gives one use of a snapshot back, with the session's lock held. */
void snapshot_release (struct snapshot *snapshot);

#endif
