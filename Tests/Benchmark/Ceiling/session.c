#include "session.h"

#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define BUCKETS (1u << 17)

static struct session *buckets[BUCKETS];
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;

/* The id is random, so any of its digits serve as the hash. */
static unsigned
bucket_of (const char *id)
{
  char digits[9];
  memcpy (digits, id, 8);
  digits[8] = 0;
  return (unsigned) strtoul (digits, NULL, 16) % BUCKETS;
}

int
state_text (char *text, long version)
{
  return snprintf (text, TEXT_SIZE,
                   "{\"value\":%ld,\"isReset\":false,\"showAlert\":{\"value\":null,\"pulse\":0}}",
                   version - 1);
}

int
session_text (char *text, const struct session *session, long version)
{
  char state[TEXT_SIZE];
  state_text (state, version);
  if (NULL != session)
    return snprintf (text, TEXT_SIZE,
                     "{\"id\":\"%s\",\"viewModel\":\"counter-sync\",\"version\":%ld,"
                     "\"state\":%.100s,\"settled\":true}",
                     session->id, version, state);
  return snprintf (text, TEXT_SIZE, "{\"version\":%ld,\"state\":%.100s,\"settled\":true}", version,
                   state);
}

static struct snapshot *
snapshot_make (long version)
{
  struct snapshot *snapshot = malloc (sizeof *snapshot);
  if (NULL == snapshot)
    return NULL;
  char state[TEXT_SIZE];
  state_text (state, version);
  snapshot->uses = 1;
  snapshot->version = version;
  snapshot->length = (size_t) snprintf (
      snapshot->event, TEXT_SIZE,
      "id: %ld\nevent: state\ndata: {\"version\":%ld,\"state\":%.100s}\n\n", version, version, state);
  return snapshot;
}

void
snapshot_release (struct snapshot *snapshot)
{
  if (0 == --snapshot->uses)
    free (snapshot);
}

struct session *
session_create (void)
{
  struct session *session = calloc (1, sizeof *session);
  unsigned char bytes[16];
  if (NULL == session || sizeof bytes != getrandom (bytes, sizeof bytes, 0))
  {
    free (session);
    return NULL;
  }
  for (size_t i = 0; i < sizeof bytes; i++)
    sprintf (session->id + 2 * i, "%02x", bytes[i]);
  pthread_mutex_init (&session->lock, NULL);
  session->version = 1;
  session->newest = snapshot_make (1);
  if (NULL == session->newest)
  {
    free (session);
    return NULL;
  }
  struct session **bucket = &buckets[bucket_of (session->id)];
  pthread_rwlock_wrlock (&table);
  session->next = *bucket;
  *bucket = session;
  pthread_rwlock_unlock (&table);
  return session;
}

struct session *
session_find (const char *id)
{
  pthread_rwlock_rdlock (&table);
  struct session *session = buckets[bucket_of (id)];
  while (NULL != session && 0 != memcmp (session->id, id, 32))
    session = session->next;
  pthread_rwlock_unlock (&table);
  return session;
}

long
session_increase (struct session *session)
{
  pthread_mutex_lock (&session->lock);
  long version = ++session->version;
  pthread_mutex_unlock (&session->lock);
  return version;
}

void
session_show (struct session *session, long version)
{
  struct snapshot *snapshot = snapshot_make (version);
  if (NULL == snapshot)
    return;
  pthread_mutex_lock (&session->lock);
  if (session->newest->version < version)
  {
    snapshot_release (session->newest);
    session->newest = snapshot;
    streams_wake (session->streams);
  }
  else
    snapshot_release (snapshot);
  pthread_mutex_unlock (&session->lock);
}
