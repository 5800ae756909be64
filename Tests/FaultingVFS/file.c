/* The calls on a file. */
#include "internal.h"

static struct file *
of (sqlite3_file *file)
{
  return (struct file *) file;
}

static sqlite3_file *
real (sqlite3_file *file)
{
  return of (file)->real;
}

static void
lock (sqlite3_file *file)
{
  pthread_mutex_lock (&of (file)->vfs->mutex);
}

static void
unlock (sqlite3_file *file)
{
  pthread_mutex_unlock (&of (file)->vfs->mutex);
}

static int
check (sqlite3_file *file, int call)
{
  struct durable *durable = of (file)->durable;
  return fvfs_check (of (file)->vfs, call, NULL == durable ? FVFS_OTHER : durable->kind);
}

static int
close_file (sqlite3_file *file)
{
  int code = real (file)->pMethods->xClose (real (file));
  lock (file);
  if (NULL != of (file)->durable)
    of (file)->durable->open_count--;
  unlock (file);
  return code;
}

static int
read_file (sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset)
{
  return real (file)->pMethods->xRead (real (file), bytes, count, offset);
}

static int
write_file (sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset)
{
  struct durable *durable = of (file)->durable;
  lock (file);
  int code = check (file, FVFS_WRITE);
  if (SQLITE_OK == code && NULL != durable)
    code = fvfs_grow (of (file)->vfs, durable, offset + count);
  if (SQLITE_OK == code)
    code = real (file)->pMethods->xWrite (real (file), bytes, count, offset);
  if (SQLITE_OK == code && NULL != durable)
    code = fvfs_note (durable, bytes, (size_t) count, offset);
  unlock (file);
  return code;
}

static int
truncate_file (sqlite3_file *file, sqlite3_int64 size)
{
  struct durable *durable = of (file)->durable;
  lock (file);
  int code = check (file, FVFS_TRUNCATE);
  if (SQLITE_OK == code)
    code = real (file)->pMethods->xTruncate (real (file), size);
  if (SQLITE_OK == code && NULL != durable)
    code = fvfs_note (durable, NULL, 0, size);
  unlock (file);
  return code;
}

/* Does not sync the real file, since only simulated losses of power matter. */
static int
sync_file (sqlite3_file *file, int flags)
{
  (void) flags;
  struct durable *durable = of (file)->durable;
  lock (file);
  int code = check (file, FVFS_SYNC);
  if (NULL != durable && ! of (file)->vfs->is_frozen)
  {
    if (SQLITE_OK == code)
      fvfs_synced (durable);
    else
      fvfs_sync_failed (of (file)->vfs, durable);
  }
  unlock (file);
  return code;
}

static int
file_size (sqlite3_file *file, sqlite3_int64 *size)
{
  return real (file)->pMethods->xFileSize (real (file), size);
}

static int
lock_file (sqlite3_file *file, int level)
{
  return real (file)->pMethods->xLock (real (file), level);
}

static int
unlock_file (sqlite3_file *file, int level)
{
  return real (file)->pMethods->xUnlock (real (file), level);
}

static int
is_reserved (sqlite3_file *file, int *result)
{
  return real (file)->pMethods->xCheckReservedLock (real (file), result);
}

/* Ignores hints of a future size, which would grow the file without a write. */
static int
control (sqlite3_file *file, int operation, void *argument)
{
  if (SQLITE_FCNTL_SIZE_HINT == operation || SQLITE_FCNTL_CHUNK_SIZE == operation)
    return SQLITE_OK;
  return real (file)->pMethods->xFileControl (real (file), operation, argument);
}

static int
sector_size (sqlite3_file *file)
{
  return real (file)->pMethods->xSectorSize (real (file));
}

static int
characteristics (sqlite3_file *file)
{
  return real (file)->pMethods->xDeviceCharacteristics (real (file));
}

static int
map_memory (sqlite3_file *file, int region, int size, int extend, void volatile **memory)
{
  lock (file);
  int code = check (file, FVFS_MAP);
  unlock (file);
  if (SQLITE_OK != code)
    return code;
  return real (file)->pMethods->xShmMap (real (file), region, size, extend, memory);
}

static int
lock_memory (sqlite3_file *file, int offset, int count, int flags)
{
  return real (file)->pMethods->xShmLock (real (file), offset, count, flags);
}

static void
barrier (sqlite3_file *file)
{
  real (file)->pMethods->xShmBarrier (real (file));
}

static int
unmap_memory (sqlite3_file *file, int deletes)
{
  return real (file)->pMethods->xShmUnmap (real (file), deletes);
}

/* Version 2 has no xFetch, so that all reads and writes pass these functions. */
const sqlite3_io_methods fvfs_methods = {
  .iVersion = 2,
  .xClose = close_file,
  .xRead = read_file,
  .xWrite = write_file,
  .xTruncate = truncate_file,
  .xSync = sync_file,
  .xFileSize = file_size,
  .xLock = lock_file,
  .xUnlock = unlock_file,
  .xCheckReservedLock = is_reserved,
  .xFileControl = control,
  .xSectorSize = sector_size,
  .xDeviceCharacteristics = characteristics,
  .xShmMap = map_memory,
  .xShmLock = lock_memory,
  .xShmBarrier = barrier,
  .xShmUnmap = unmap_memory,
};
