#ifndef FAULTING_VFS_INTERNAL_H
#define FAULTING_VFS_INTERNAL_H

#include "FaultingVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>

/* The bytes that would survive a loss of power. */
struct image
{
  unsigned char *bytes;
  size_t count;
  size_t capacity;
};

/* A write, or with bytes == NULL a truncation to `offset`, that is not yet durable. */
struct change
{
  struct change *next;
  sqlite3_int64 offset;
  size_t count;
  unsigned char *bytes;
};

/* The record of a path, which is kept while the file is closed. */
struct durable
{
  struct durable *next;
  char *path;
  int kind;
  int open_count;
  /* The size of the file as it is read, not of its durable content. */
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
  /* Guards all members below. */
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

/* rules.c; called with the mutex locked. */

/* Returns a call's result code, after waiting if the rule says so. */
int fvfs_check (struct fvfs *vfs, int call, int kind);
/* Takes the growth of a file from the remaining space; returns SQLITE_OK or SQLITE_FULL. */
int fvfs_grow (struct fvfs *vfs, struct durable *file, sqlite3_int64 size);
/* Returns a random number from 0 to bound - 1. */
unsigned fvfs_random (struct fvfs *vfs, unsigned bound);

/* durable.c; called with the mutex locked. The results are codes of SQLite. */

/* Finds or creates the record of a path, with the current content as durable; returns NULL without memory. */
struct durable *fvfs_find (struct fvfs *vfs, const char *path, int kind);
void fvfs_forget (struct fvfs *vfs, const char *path);
int fvfs_note (struct durable *file, const void *bytes, size_t count, sqlite3_int64 offset);
void fvfs_synced (struct durable *file);
void fvfs_sync_failed (struct fvfs *vfs, struct durable *file);
int fvfs_lose_power (struct fvfs *vfs, struct durable *file, int loses_all);
void fvfs_free_all (struct fvfs *vfs);

/* file.c */

struct file
{
  sqlite3_file base;
  struct fvfs *vfs;
  struct durable *durable;
  /* The unix VFS's file, which follows this struct in memory. */
  sqlite3_file *real;
};

extern const sqlite3_io_methods fvfs_methods;

#endif
