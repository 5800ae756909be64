/* SQLite for Swift: the library's header, and wrappers of functions that Swift cannot call. */
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>
#include <sys/vfs.h>

/* SQLITE_TRANSIENT is a cast: the library copies the bytes. An empty blob is not NULL. */
static inline int
csq_bind_blob (sqlite3_stmt *statement, int place, const void *bytes, int count)
{
  return 0 == count ? sqlite3_bind_zeroblob (statement, place, 0)
                    : sqlite3_bind_blob (statement, place, bytes, count, SQLITE_TRANSIENT);
}

static inline int
csq_bind_text (sqlite3_stmt *statement, int place, const char *text, int count)
{
  return sqlite3_bind_text (statement, place, text, count, SQLITE_TRANSIENT);
}

/* sqlite3_db_config is variadic. Without this option, the last connection writes the log into the database. */
static inline int
csq_checkpoint_on_close (sqlite3 *database, int does)
{
  return sqlite3_db_config (database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !does, (int *) 0);
}

/* The type of a path's file system; 0 if the system reports none. Swift's Glibc has no statfs(2). */
static inline long
csq_file_system_type (const char *path)
{
  struct statfs status;
  return 0 == statfs (path, &status) ? (long) status.f_type : 0;
}

#endif
