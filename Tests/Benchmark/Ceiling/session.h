/* Sessions of a counter in memory, and their representations as in the service. */
#ifndef SESSION_H
#define SESSION_H

#include <pthread.h>
#include <stddef.h>

/* The size of the largest representation of a session. */
#define TEXT_SIZE 256

/* One event, shared by all streams that send it. */
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

/* Returns NULL if there is no memory. */
struct session *session_create (void);

/* Returns NULL if there is no such session; `id` has 32 characters. */
struct session *session_find (const char *id);

/* Increases the count, and returns the new version, which no stream shows yet. */
long session_increase (struct session *session);

/* Makes a version the newest, and wakes the streams; does nothing if there is a newer one. */
void session_show (struct session *session, long version);

/* Writes the body of a response; returns its length. */
int session_text (char *text, const struct session *session, long version);

/* Writes the State as it is stored; returns its length. */
int state_text (char *text, long version);

/* Releases one use of a snapshot; the session's lock must be held. */
void snapshot_release (struct snapshot *snapshot);

#endif
