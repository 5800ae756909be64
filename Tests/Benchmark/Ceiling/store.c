#include "store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static sqlite3 *database;
static sqlite3_stmt *begin, *insert, *commit;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_filled = PTHREAD_COND_INITIALIZER;
static struct request *first, **last = &first; /* Guard: lock. */

int
store_is_open (void)
{
  return NULL != database;
}

void
store_add (struct request *request)
{
  request->next = NULL;
  pthread_mutex_lock (&lock);
  *last = request;
  last = &request->next;
  pthread_cond_signal (&is_filled);
  pthread_mutex_unlock (&lock);
}

static struct request *
take_all (void)
{
  pthread_mutex_lock (&lock);
  while (NULL == first)
    pthread_cond_wait (&is_filled, &lock);
  struct request *requests = first;
  first = NULL;
  last = &first;
  pthread_mutex_unlock (&lock);
  return requests;
}

/* Without writing its log, the program would be no ceiling. */
static void
step (sqlite3_stmt *statement)
{
  if (SQLITE_DONE != sqlite3_step (statement))
  {
    fprintf (stderr, "ceiling: SQLite: %s\n", sqlite3_errmsg (database));
    exit (1);
  }
  sqlite3_reset (statement);
}

static void
write_row (struct request *request)
{
  char state[TEXT_SIZE];
  int length = state_text (state, request->version);
  sqlite3_bind_text (insert, 1, request->session->id, 32, SQLITE_STATIC);
  sqlite3_bind_int64 (insert, 2, request->version);
  sqlite3_bind_blob (insert, 3, state, length, SQLITE_STATIC);
  step (insert);
}

static void *
work (void *context)
{
  (void) context;
  for (;;)
  {
    struct request *request = take_all ();
    step (begin);
    for (struct request *each = request; NULL != each; each = each->next)
    {
      each->version = session_increase (each->session);
      write_row (each);
    }
    step (commit);
    while (NULL != request)
    {
      /* The request may be freed as soon as it is resumed. */
      struct request *next = request->next;
      struct loop *loop = request->loop;
      struct MHD_Connection *connection = request->connection;
      session_show (request->session, request->version);
      atomic_store (&request->is_stored, 1);
      loop_resume (loop, connection);
      request = next;
    }
  }
  return NULL;
}

int
store_open (const char *path)
{
  static const char schema[]
      = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE log (number INTEGER PRIMARY KEY, session TEXT, version INTEGER, state BLOB)";
  pthread_t writer;
  if (SQLITE_OK == sqlite3_open (path, &database)
      && SQLITE_OK == sqlite3_exec (database, schema, NULL, NULL, NULL)
      && SQLITE_OK == sqlite3_prepare_v2 (database, "BEGIN IMMEDIATE", -1, &begin, NULL)
      && SQLITE_OK
             == sqlite3_prepare_v2 (database,
                                    "INSERT INTO log (session, version, state) VALUES (?, ?, ?)", -1,
                                    &insert, NULL)
      && SQLITE_OK == sqlite3_prepare_v2 (database, "COMMIT", -1, &commit, NULL)
      && 0 == pthread_create (&writer, NULL, work, NULL))
    return 1;
  fprintf (stderr, "ceiling: %s: %s\n", path, sqlite3_errmsg (database));
  return 0;
}
