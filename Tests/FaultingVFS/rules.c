/* The decision which calls fail. */
#include "internal.h"

/* The constants of Numerical Recipes suffice for a choice among a few. */
unsigned
fvfs_random (struct fvfs *vfs, unsigned bound)
{
  vfs->random = vfs->random * 6364136223846793005u + 1442695040888963407u;
  return (unsigned) (vfs->random >> 33) % bound;
}

static int
applies (struct fvfs *vfs, int call, int kind)
{
  struct fvfs_rule *rule = &vfs->rule;
  if (! (rule->calls & call) || ! (rule->files & kind) || 0 == rule->limit)
    return 0;
  if (rule->skip > 0)
  {
    rule->skip--;
    return 0;
  }
  if (rule->percent < 100 && (int) fvfs_random (vfs, 100) >= rule->percent)
    return 0;
  if (rule->limit > 0)
    rule->limit--;
  return 1;
}

int
fvfs_check (struct fvfs *vfs, int call, int kind)
{
  if (vfs->is_frozen)
    return SQLITE_IOERR;
  if (! applies (vfs, call, kind))
    return SQLITE_OK;
  vfs->faults++;
  if (0 != vfs->rule.code)
    return vfs->rule.code;
  long releases = vfs->releases;
  vfs->hung++;
  pthread_cond_broadcast (&vfs->changed);
  while (releases == vfs->releases && ! vfs->is_frozen)
    pthread_cond_wait (&vfs->changed, &vfs->mutex);
  vfs->hung--;
  return vfs->is_frozen ? SQLITE_IOERR : SQLITE_OK;
}

int
fvfs_grow (struct fvfs *vfs, struct durable *file, sqlite3_int64 size)
{
  if (size <= file->size)
    return SQLITE_OK;
  if (vfs->space >= 0)
  {
    if (size - file->size > vfs->space)
    {
      vfs->faults++;
      return SQLITE_FULL;
    }
    vfs->space -= size - file->size;
  }
  return SQLITE_OK;
}
