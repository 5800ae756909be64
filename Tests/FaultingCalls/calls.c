#define _GNU_SOURCE
#include "FaultingCalls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

/* The state that two processes share. */
struct fcalls
{
  _Atomic int writes;
  _Atomic int syncs;
  _Atomic int percent;
  _Atomic long faults;
  _Atomic unsigned count;
};

struct fcalls *
fcalls_open (const char *path)
{
  int descriptor = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return NULL;
  void *memory = MAP_FAILED;
  if (0 == ftruncate (descriptor, sizeof (struct fcalls)))
    memory = mmap (NULL, sizeof (struct fcalls), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close (descriptor);
  return MAP_FAILED == memory ? NULL : memory;
}

void
fcalls_close (struct fcalls *calls)
{
  munmap (calls, sizeof *calls);
}

void
fcalls_set (struct fcalls *calls, int writes, int syncs, int percent)
{
  atomic_store (&calls->percent, percent);
  atomic_store (&calls->writes, writes);
  atomic_store (&calls->syncs, syncs);
}

long
fcalls_faults (struct fcalls *calls)
{
  return atomic_load (&calls->faults);
}

/* The thread sanitizer defines these functions itself. */
#if !defined(__has_feature) || !__has_feature(thread_sanitizer)

static struct fcalls *control;
static ssize_t (*real_write) (int, const void *, size_t, off64_t);
static int (*real_data_sync) (int);
static int (*real_sync) (int);
static int (*real_truncate) (int, off64_t);

__attribute__ ((constructor)) static void
prepare (void)
{
  *(void **) &real_write = dlsym (RTLD_NEXT, "pwrite64");
  *(void **) &real_data_sync = dlsym (RTLD_NEXT, "fdatasync");
  *(void **) &real_sync = dlsym (RTLD_NEXT, "fsync");
  *(void **) &real_truncate = dlsym (RTLD_NEXT, "ftruncate64");
  const char *path = getenv ("FAULTING_CALLS");
  if (NULL != path)
    control = fcalls_open (path);
}

static int
is_of_store (int descriptor)
{
  char link[64], path[4096];
  snprintf (link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t count = readlink (link, path, sizeof path - 1);
  if (count <= 0)
    return 0;
  path[count] = 0;
  const char *name = strrchr (path, '/');
  return NULL != name
         && (0 == strcmp (name, "/sessions.sqlite") || 0 == strcmp (name, "/sessions.sqlite-wal"));
}

/* Spreads a plain count by Fibonacci hashing. */
static int
is_chosen (void)
{
  unsigned number = atomic_fetch_add (&control->count, 1) * 2654435769u;
  return (int) ((number >> 16) % 100) < atomic_load (&control->percent);
}

/* Returns the effect on a call, after waiting if the effect is to wait. */
static int
effect_on (int descriptor, _Atomic int *setting)
{
  int effect = NULL == control ? FCALLS_PASS : atomic_load (setting);
  if (FCALLS_PASS == effect || ! is_of_store (descriptor) || ! is_chosen ())
    return FCALLS_PASS;
  atomic_fetch_add (&control->faults, 1);
  if (FCALLS_SLOW == effect)
    usleep (5000);
  while (FCALLS_HANG == effect && FCALLS_HANG == atomic_load (setting))
    usleep (1000);
  return FCALLS_FAIL == effect || FCALLS_FULL == effect ? effect : FCALLS_PASS;
}

static int
fail (int effect)
{
  errno = FCALLS_FULL == effect ? ENOSPC : EIO;
  return -1;
}

ssize_t
pwrite64 (int descriptor, const void *bytes, size_t count, off64_t offset)
{
  int effect = effect_on (descriptor, NULL == control ? NULL : &control->writes);
  /* A disk that becomes full writes a part. */
  if (FCALLS_FULL == effect && count > 512)
    (void) real_write (descriptor, bytes, 512, offset);
  return FCALLS_PASS == effect ? real_write (descriptor, bytes, count, offset) : fail (effect);
}

int
ftruncate64 (int descriptor, off64_t size)
{
  int effect = effect_on (descriptor, NULL == control ? NULL : &control->writes);
  return FCALLS_PASS == effect ? real_truncate (descriptor, size) : fail (effect);
}

int
fdatasync (int descriptor)
{
  int effect = effect_on (descriptor, NULL == control ? NULL : &control->syncs);
  return FCALLS_PASS == effect ? real_data_sync (descriptor) : fail (effect);
}

int
fsync (int descriptor)
{
  int effect = effect_on (descriptor, NULL == control ? NULL : &control->syncs);
  return FCALLS_PASS == effect ? real_sync (descriptor) : fail (effect);
}

#endif
