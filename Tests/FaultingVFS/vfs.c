/* The VFS itself, and the functions for tests. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct fvfs *
of (sqlite3_vfs *vfs)
{
  return (struct fvfs *) vfs;
}

static int
kind_of (int flags)
{
  if (flags & SQLITE_OPEN_MAIN_DB)
    return FVFS_DATABASE;
  return flags & SQLITE_OPEN_WAL ? FVFS_LOG : FVFS_OTHER;
}

static int
open_file (sqlite3_vfs *base, sqlite3_filename path, sqlite3_file *result, int flags, int *granted)
{
  struct fvfs *vfs = of (base);
  struct file *file = (struct file *) result;
  struct durable *durable = NULL;
  int kind = kind_of (flags);
  memset (file, 0, sizeof *file);
  file->vfs = vfs;
  file->real = (sqlite3_file *) (file + 1);
  pthread_mutex_lock (&vfs->mutex);
  int code = fvfs_check (vfs, FVFS_OPEN, kind);
  if (SQLITE_OK == code && FVFS_OTHER != kind && NULL != path)
  {
    durable = fvfs_find (vfs, path, kind);
    if (NULL == durable)
      code = SQLITE_NOMEM;
  }
  if (SQLITE_OK == code)
    code = vfs->real->xOpen (vfs->real, path, file->real, flags, granted);
  if (SQLITE_OK == code)
  {
    file->base.pMethods = &fvfs_methods;
    file->durable = durable;
    if (NULL != durable)
      durable->open_count++;
  }
  pthread_mutex_unlock (&vfs->mutex);
  return code;
}

static int
delete_file (sqlite3_vfs *base, const char *path, int syncs)
{
  struct fvfs *vfs = of (base);
  pthread_mutex_lock (&vfs->mutex);
  int code = vfs->is_frozen ? SQLITE_IOERR_DELETE : vfs->real->xDelete (vfs->real, path, syncs);
  if (SQLITE_OK == code)
    fvfs_forget (vfs, path);
  pthread_mutex_unlock (&vfs->mutex);
  return code;
}

static int
access_file (sqlite3_vfs *base, const char *path, int flags, int *result)
{
  return of (base)->real->xAccess (of (base)->real, path, flags, result);
}

static int
full_path (sqlite3_vfs *base, const char *path, int count, char *result)
{
  return of (base)->real->xFullPathname (of (base)->real, path, count, result);
}

static int
randomness (sqlite3_vfs *base, int count, char *bytes)
{
  return of (base)->real->xRandomness (of (base)->real, count, bytes);
}

static int
pause_for (sqlite3_vfs *base, int microseconds)
{
  return of (base)->real->xSleep (of (base)->real, microseconds);
}

static int
current_time (sqlite3_vfs *base, double *time)
{
  return of (base)->real->xCurrentTime (of (base)->real, time);
}

static int
last_error (sqlite3_vfs *base, int count, char *text)
{
  return of (base)->real->xGetLastError (of (base)->real, count, text);
}

struct fvfs *
fvfs_register (const char *name, uint64_t seed)
{
  sqlite3_vfs *unix_vfs = sqlite3_vfs_find ("unix");
  struct fvfs *vfs = calloc (1, sizeof *vfs);
  if (NULL == unix_vfs || NULL == vfs || NULL == (vfs->name = strdup (name)))
  {
    free (vfs);
    return NULL;
  }
  vfs->real = unix_vfs;
  vfs->base.iVersion = 1;
  vfs->base.szOsFile = (int) sizeof (struct file) + unix_vfs->szOsFile;
  vfs->base.mxPathname = unix_vfs->mxPathname;
  vfs->base.zName = vfs->name;
  vfs->base.xOpen = open_file;
  vfs->base.xDelete = delete_file;
  vfs->base.xAccess = access_file;
  vfs->base.xFullPathname = full_path;
  vfs->base.xRandomness = randomness;
  vfs->base.xSleep = pause_for;
  vfs->base.xCurrentTime = current_time;
  vfs->base.xGetLastError = last_error;
  vfs->space = -1;
  vfs->random = seed;
  pthread_mutex_init (&vfs->mutex, NULL);
  pthread_cond_init (&vfs->changed, NULL);
  if (SQLITE_OK == sqlite3_vfs_register (&vfs->base, 0))
    return vfs;
  free (vfs->name);
  free (vfs);
  return NULL;
}

void
fvfs_unregister (struct fvfs *vfs)
{
  sqlite3_vfs_unregister (&vfs->base);
  fvfs_free_all (vfs);
  pthread_cond_destroy (&vfs->changed);
  pthread_mutex_destroy (&vfs->mutex);
  free (vfs->name);
  free (vfs);
}

void
fvfs_set_rule (struct fvfs *vfs, const struct fvfs_rule *rule)
{
  pthread_mutex_lock (&vfs->mutex);
  if (NULL == rule)
    memset (&vfs->rule, 0, sizeof vfs->rule);
  else
    vfs->rule = *rule;
  pthread_mutex_unlock (&vfs->mutex);
}

void
fvfs_set_space (struct fvfs *vfs, int64_t bytes)
{
  pthread_mutex_lock (&vfs->mutex);
  vfs->space = bytes;
  pthread_mutex_unlock (&vfs->mutex);
}

void
fvfs_release (struct fvfs *vfs)
{
  pthread_mutex_lock (&vfs->mutex);
  vfs->releases++;
  pthread_cond_broadcast (&vfs->changed);
  pthread_mutex_unlock (&vfs->mutex);
}

int
fvfs_wait_for_hang (struct fvfs *vfs, int milliseconds)
{
  struct timespec limit;
  clock_gettime (CLOCK_REALTIME, &limit);
  limit.tv_sec += milliseconds / 1000;
  limit.tv_nsec += (milliseconds % 1000) * 1000000L;
  if (limit.tv_nsec >= 1000000000L)
  {
    limit.tv_sec++;
    limit.tv_nsec -= 1000000000L;
  }
  pthread_mutex_lock (&vfs->mutex);
  while (0 == vfs->hung
         && ETIMEDOUT != pthread_cond_timedwait (&vfs->changed, &vfs->mutex, &limit))
    ;
  int is_hung = vfs->hung > 0;
  pthread_mutex_unlock (&vfs->mutex);
  return is_hung;
}

void
fvfs_freeze (struct fvfs *vfs)
{
  pthread_mutex_lock (&vfs->mutex);
  vfs->is_frozen = 1;
  pthread_cond_broadcast (&vfs->changed);
  pthread_mutex_unlock (&vfs->mutex);
}

int
fvfs_restart (struct fvfs *vfs, enum fvfs_power power)
{
  int result = 0;
  pthread_mutex_lock (&vfs->mutex);
  for (struct durable *file = vfs->files; NULL != file; file = file->next)
    if (file->open_count > 0)
      result = -1;
  /* The writes of a dead process stay in the system's cache, unsynced. */
  for (struct durable *file = vfs->files; 0 == result && NULL != file; file = file->next)
    if (FVFS_POWER_STAYS != power)
      result = fvfs_lose_power (vfs, file, FVFS_POWER_TAKES_ALL == power);
  memset (&vfs->rule, 0, sizeof vfs->rule);
  vfs->space = -1;
  vfs->is_frozen = 0;
  pthread_mutex_unlock (&vfs->mutex);
  return result;
}

void
fvfs_reread (struct fvfs *vfs)
{
  pthread_mutex_lock (&vfs->mutex);
  fvfs_free_all (vfs);
  pthread_mutex_unlock (&vfs->mutex);
}

long
fvfs_faults (struct fvfs *vfs)
{
  pthread_mutex_lock (&vfs->mutex);
  long count = vfs->faults;
  pthread_mutex_unlock (&vfs->mutex);
  return count;
}

long
fvfs_unsynced (struct fvfs *vfs)
{
  long count = 0;
  pthread_mutex_lock (&vfs->mutex);
  for (struct durable *file = vfs->files; NULL != file; file = file->next)
    for (struct change *change = file->first; NULL != change; change = change->next)
      count++;
  pthread_mutex_unlock (&vfs->mutex);
  return count;
}
