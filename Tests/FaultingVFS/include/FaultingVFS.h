/* A VFS of SQLite that fails on request (https://sqlite.org/vfs.html).
 *
 * It passes all calls on to the unix VFS, and records the content of each file that would survive a loss of
 * power: the writes before the last successful sync. As on Linux, a later sync does not make the writes
 * durable for which a sync has failed (fsync(2), EIO). The creation or deletion of a file is durable at once.
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
  /* Mapping the shared memory of the write-ahead log. */
  FVFS_MAP = 16
};

enum fvfs_file
{
  FVFS_DATABASE = 1,
  FVFS_LOG = 2,
  FVFS_OTHER = 4
};

/* The fate, at a restart, of writes that were not durable. */
enum fvfs_power
{
  /* They are kept, as those of a dead process in the system's cache. */
  FVFS_POWER_STAYS = 0,
  /* Each is kept, lost or torn between two sectors, as the seed decides. */
  FVFS_POWER_FAILS = 1,
  /* All are lost. */
  FVFS_POWER_TAKES_ALL = 2
};

/* The calls that fail, and their result. */
struct fvfs_rule
{
  /* Values of enum fvfs_call. */
  int calls;
  /* Values of enum fvfs_file. */
  int files;
  /* The number of calls that pass before the first failure. */
  long skip;
  /* The number of calls that fail; negative for all. */
  long limit;
  /* The probability that each of them fails, in percent. */
  int percent;
  /* The result for SQLite; with 0, the call waits for fvfs_release, and then succeeds. */
  int code;
};

/* Registers a VFS under a unique name; returns NULL on failure. */
struct fvfs *fvfs_register (const char *name, uint64_t seed);

/* Unregisters the VFS, whose files must be closed. */
void fvfs_unregister (struct fvfs *vfs);

/* Replaces the rule, or removes it with NULL, and counts its calls from zero. Waiting calls keep waiting. */
void fvfs_set_rule (struct fvfs *vfs, const struct fvfs_rule *rule);

/* Sets the number of bytes by which files may grow from now on; negative for no limit but the disk. */
void fvfs_set_space (struct fvfs *vfs, int64_t bytes);

/* Lets the waiting calls succeed. */
void fvfs_release (struct fvfs *vfs);

/* Waits until a call waits for fvfs_release; returns 0 if none does within the time. */
int fvfs_wait_for_hang (struct fvfs *vfs, int milliseconds);

/* Simulates the death of the process: from now on, calls that would change a file fail. */
void fvfs_freeze (struct fvfs *vfs);

/* Simulates a restart of the process: calls succeed, without a rule and without a limit of space.
 *
 * Returns 0, or -1 if a file is still open or cannot be written. */
int fvfs_restart (struct fvfs *vfs, enum fvfs_power power);

/* Forgets the recorded content, after another process has written the closed files and made that durable. */
void fvfs_reread (struct fvfs *vfs);

/* Returns the number of calls that have failed or waited. */
long fvfs_faults (struct fvfs *vfs);

/* Returns the number of writes in all files that would not survive a loss of power. */
long fvfs_unsynced (struct fvfs *vfs);

#endif
