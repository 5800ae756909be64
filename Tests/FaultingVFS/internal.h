#ifndef FAULTING_VFS_INTERNAL_H
#define FAULTING_VFS_INTERNAL_H

#include "FaultingVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>

/* Bytes as they would be found after a loss of power. */
struct image
{
  unsigned char *bytes;
  size_t count;
  size_t capacity;
};

/* A write, or with bytes == NULL a truncation to `offset`, that no sync has made durable. */
struct change
{
  struct change *next;
  sqlite3_int64 offset;
  size_t count;
  unsigned char *bytes;
};

/* What is known of a path; kept while its file is closed. */
struct durable
{
  struct durable *next;
  char *path;
  int kind;
  int open_count;
  /* Of the file as it is read, not as it is durable. */
  sqlite3_int64 size;
  struct image image;
  struct change *first;
  struct change **last;
};

struct fvfs
{
  sqlite3_vfs base;
  sqlite3_vfs *real;
  char *name;
  /* Guards all below. */
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  struct fvfs_rule rule;
  int64_t space;
  uint64_t random;
  long faults;
  long hung;
  long releases;
  int is_frozen;
  struct durable *files;
};

/* rules.c; with the mutex. */

/* Whether a call is to fail, and how: a result code of SQLite. May wait. */
int fvfs_check (struct fvfs *vfs, int call, int kind);
/* Takes what a file is to grow by of the space that there is: SQLITE_OK or SQLITE_FULL. */
int fvfs_grow (struct fvfs *vfs, struct durable *file, sqlite3_int64 size);
/* 0 to bound - 1. */
unsigned fvfs_random (struct fvfs *vfs, unsigned bound);

/* durable.c; with the mutex. Results are codes of SQLite. */

/* The record of a path, which is made with what the file has now; NULL where memory is short. */
struct durable *fvfs_find (struct fvfs *vfs, const char *path, int kind);
void fvfs_forget (struct fvfs *vfs, const char *path);
int fvfs_note (struct durable *file, const void *bytes, size_t count, sqlite3_int64 offset);
void fvfs_synced (struct durable *file);
void fvfs_sync_failed (struct fvfs *vfs, struct durable *file);
int fvfs_lose_power (struct fvfs *vfs, struct durable *file);
void fvfs_free_all (struct fvfs *vfs);

/* file.c */

struct file
{
  sqlite3_file base;
  struct fvfs *vfs;
  struct durable *durable;
  /* Followed by the unix VFS's own. */
  sqlite3_file *real;
};

extern const sqlite3_io_methods fvfs_methods;

#endif
