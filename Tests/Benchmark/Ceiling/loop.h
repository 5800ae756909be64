/* A thread that waits for events and runs one daemon of libmicrohttpd on them.
 *
 * The library's own threads would wait for ever if exactly 128 events came at once. */
#ifndef LOOP_H
#define LOOP_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

struct loop
{
  struct MHD_Daemon *daemon;
  pthread_t thread;
  int inbox[2]; /* A pipe of sockets to serve; -1 only wakes. */
  atomic_bool is_woken;
};

/* Returns false if the system or the library refuses. */
int loop_start (struct loop *loop, MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback end);

/* Adds a connection to a loop; callable from any thread. */
void loop_add (struct loop *loop, int socket);

/* Resumes a connection of the loop; callable from any thread. */
void loop_resume (struct loop *loop, struct MHD_Connection *connection);

#endif
