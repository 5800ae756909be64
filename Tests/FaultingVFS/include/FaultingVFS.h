/* A VFS of SQLite that fails when it is told to (https://sqlite.org/vfs.html).
 *
 * It passes all calls on to the unix VFS, and knows what of each file would survive a loss of power: what
 * was written before the last sync that succeeded. What was unsynced when a sync failed is never made
 * durable by a later one, as Linux has it (fsync(2), EIO). A name that was made, or deleted, stays so.
 *
 * All functions may be called on any thread. */
#ifndef FAULTING_VFS_H
#define FAULTING_VFS_H

#include <stdint.h>

struct fvfs;

enum fvfs_call
{
  FVFS_OPEN = 1,
  FVFS_WRITE = 2,
  FVFS_SYNC = 4,
  FVFS_TRUNCATE = 8,
  /* The shared memory of the write-ahead log is mapped. */
  FVFS_MAP = 16
};

enum fvfs_file
{
  FVFS_DATABASE = 1,
  FVFS_LOG = 2,
  FVFS_OTHER = 4
};

/* Which calls fail, and how. */
struct fvfs_rule
{
  /* Of enum fvfs_call. */
  int calls;
  /* Of enum fvfs_file. */
  int files;
  /* So many calls pass before the first that fails. */
  long skip;
  /* So many calls fail; negative for all. */
  long limit;
  /* How likely each of them fails, in percent. */
  int percent;
  /* What SQLite is told; with 0 the call waits for fvfs_release, and then succeeds. */
  int code;
};

/* Registers it under a name that no other has; NULL where that fails. */
struct fvfs *fvfs_register (const char *name, uint64_t seed);

/* Its files have to be closed. */
void fvfs_unregister (struct fvfs *vfs);

/* Replaces the rule, and counts its calls from zero; NULL for none. Calls that wait go on waiting. */
void fvfs_set_rule (struct fvfs *vfs, const struct fvfs_rule *rule);

/* By how many bytes files may grow from here on; negative for as many as the disk holds. */
void fvfs_set_space (struct fvfs *vfs, int64_t bytes);

/* Calls that wait succeed. */
void fvfs_release (struct fvfs *vfs);

/* Waits until a call waits for fvfs_release; 0 where none did in so many milliseconds. */
int fvfs_wait_for_hang (struct fvfs *vfs, int milliseconds);

/* The process dies here: from now on nothing changes a file, and calls that would fail. */
void fvfs_freeze (struct fvfs *vfs);

/* The process is started again: calls succeed, without a rule and with all the space.
 *
 * With `loses_power` each write that was not durable is kept, lost or torn between two sectors, as the
 * seed has it. Returns 0; -1 where a file is still open or cannot be written. */
int fvfs_restart (struct fvfs *vfs, int loses_power);

/* Another process has written the files, which are closed, and made that durable. */
void fvfs_reread (struct fvfs *vfs);

/* How many calls have failed or waited. */
long fvfs_faults (struct fvfs *vfs);

/* How many writes, in all files, would not survive a loss of power now. */
long fvfs_unsynced (struct fvfs *vfs);

#endif
