/* The content of files that would survive a loss of power. */
#include "internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The size of the units that a disk writes as a whole. */
#define SECTOR 512u

static int
put (struct image *image, const unsigned char *bytes, size_t count, size_t offset)
{
  size_t end = offset + count;
  if (end > image->capacity)
  {
    size_t capacity = end * 2;
    unsigned char *grown = realloc (image->bytes, capacity);
    if (NULL == grown)
      return SQLITE_IOERR_NOMEM;
    image->bytes = grown;
    image->capacity = capacity;
  }
  if (offset > image->count)
    memset (image->bytes + image->count, 0, offset - image->count);
  memcpy (image->bytes + offset, bytes, count);
  if (end > image->count)
    image->count = end;
  return SQLITE_OK;
}

/* Makes a change durable, or its first `count` bytes. */
static int
apply (struct durable *file, const struct change *change, size_t count)
{
  if (NULL != change->bytes)
    return put (&file->image, change->bytes, count, (size_t) change->offset);
  if ((size_t) change->offset < file->image.count)
    file->image.count = (size_t) change->offset;
  return SQLITE_OK;
}

static void
drop_changes (struct durable *file)
{
  while (NULL != file->first)
  {
    struct change *next = file->first->next;
    free (file->first->bytes);
    free (file->first);
    file->first = next;
  }
  file->last = &file->first;
}

static int
read_all (struct durable *file)
{
  int descriptor = open (file->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return SQLITE_OK;
  unsigned char part[65536];
  ssize_t count;
  int code = SQLITE_OK;
  while (SQLITE_OK == code && (count = read (descriptor, part, sizeof part)) > 0)
    code = put (&file->image, part, (size_t) count, file->image.count);
  close (descriptor);
  file->size = (sqlite3_int64) file->image.count;
  return code;
}

struct durable *
fvfs_find (struct fvfs *vfs, const char *path, int kind)
{
  struct durable *file;
  for (file = vfs->files; NULL != file; file = file->next)
    if (0 == strcmp (file->path, path))
      return file;
  file = calloc (1, sizeof *file);
  if (NULL == file)
    return NULL;
  file->last = &file->first;
  file->kind = kind;
  file->path = strdup (path);
  if (NULL == file->path || SQLITE_OK != read_all (file))
  {
    free (file->image.bytes);
    free (file->path);
    free (file);
    return NULL;
  }
  file->next = vfs->files;
  vfs->files = file;
  return file;
}

/* Keeps the record as that of an empty file, since the file may still be open. */
void
fvfs_forget (struct fvfs *vfs, const char *path)
{
  struct durable *file;
  for (file = vfs->files; NULL != file; file = file->next)
    if (0 == strcmp (file->path, path))
    {
      drop_changes (file);
      file->image.count = 0;
      file->size = 0;
    }
}

int
fvfs_note (struct durable *file, const void *bytes, size_t count, sqlite3_int64 offset)
{
  struct change *change = calloc (1, sizeof *change);
  if (NULL == change)
    return SQLITE_IOERR_NOMEM;
  change->offset = offset;
  change->count = count;
  if (NULL != bytes)
  {
    change->bytes = malloc (count);
    if (NULL == change->bytes)
    {
      free (change);
      return SQLITE_IOERR_NOMEM;
    }
    memcpy (change->bytes, bytes, count);
  }
  *file->last = change;
  file->last = &change->next;
  sqlite3_int64 end = offset + (sqlite3_int64) count;
  if (NULL == bytes || end > file->size)
    file->size = end;
  return SQLITE_OK;
}

void
fvfs_synced (struct durable *file)
{
  for (struct change *change = file->first; NULL != change; change = change->next)
    (void) apply (file, change, change->count);
  drop_changes (file);
}

/* Keeps, loses or tears each change between two sectors. */
static int
settle (struct fvfs *vfs, struct durable *file, int may_tear)
{
  int code = SQLITE_OK;
  for (struct change *change = file->first; NULL != change; change = change->next)
  {
    size_t count = change->count;
    unsigned fate = fvfs_random (vfs, may_tear ? 3 : 2);
    if (0 == fate)
      continue;
    if (2 == fate && NULL != change->bytes)
      count = fvfs_random (vfs, (unsigned) (count / SECTOR) + 1) * SECTOR;
    code |= apply (file, change, count);
  }
  drop_changes (file);
  return code;
}

void
fvfs_sync_failed (struct fvfs *vfs, struct durable *file)
{
  (void) settle (vfs, file, 0);
}

int
fvfs_lose_power (struct fvfs *vfs, struct durable *file, int loses_all)
{
  if (loses_all)
    drop_changes (file);
  else if (SQLITE_OK != settle (vfs, file, 1))
    return -1;
  /* A deleted file is not created again. */
  int descriptor = open (file->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor < 0)
    return 0 == file->image.count ? 0 : -1;
  size_t done = 0;
  while (done < file->image.count)
  {
    ssize_t count = write (descriptor, file->image.bytes + done, file->image.count - done);
    if (count <= 0)
      break;
    done += (size_t) count;
  }
  close (descriptor);
  file->size = (sqlite3_int64) file->image.count;
  return done == file->image.count ? 0 : -1;
}

void
fvfs_free_all (struct fvfs *vfs)
{
  while (NULL != vfs->files)
  {
    struct durable *next = vfs->files->next;
    drop_changes (vfs->files);
    free (vfs->files->image.bytes);
    free (vfs->files->path);
    free (vfs->files);
    vfs->files = next;
  }
}
