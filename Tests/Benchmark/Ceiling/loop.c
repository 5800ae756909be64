#define _GNU_SOURCE
#include "loop.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* The bytes of memory for each connection, as in the service. */
#define CONNECTION_MEMORY 8192

/* The loop of this thread. */
static _Thread_local struct loop *current;

static void
post (struct loop *loop, int socket)
{
  /* A full pipe wakes the loop as well. */
  ssize_t written = write (loop->inbox[1], &socket, sizeof socket);
  if (written < 0 && socket >= 0)
    close (socket);
}

void
loop_add (struct loop *loop, int socket)
{
  post (loop, socket);
}

void
loop_resume (struct loop *loop, struct MHD_Connection *connection)
{
  MHD_resume_connection (connection);
  if (!atomic_exchange (&loop->is_woken, 1) && loop != current)
    post (loop, -1);
}

static void
empty_inbox (struct loop *loop)
{
  int sockets[64];
  ssize_t count = read (loop->inbox[0], sockets, sizeof sockets);
  for (ssize_t i = 0; i < count / (ssize_t) sizeof sockets[0]; i++)
  {
    struct sockaddr_in address = { .sin_family = AF_INET };
    if (sockets[i] >= 0)
      MHD_add_connection (loop->daemon, sockets[i], (struct sockaddr *) &address, sizeof address);
  }
}

static void *
run (void *context)
{
  struct loop *loop = current = context;
  int library = MHD_get_daemon_info (loop->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
  for (;;)
  {
    unsigned long long limit;
    int timeout = -1;
    if (MHD_YES == MHD_get_timeout (loop->daemon, &limit))
      timeout = limit > 1000 ? 1000 : (int) limit;
    if (atomic_load (&loop->is_woken))
      timeout = 0;
    struct pollfd events[] = { { library, POLLIN, 0 }, { loop->inbox[0], POLLIN, 0 } };
    poll (events, 2, timeout);
    if (0 != events[1].revents)
      empty_inbox (loop);
    atomic_store (&loop->is_woken, 0);
    MHD_run_wait (loop->daemon, 0);
  }
  return NULL;
}

int
loop_start (struct loop *loop, MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback end)
{
  unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME
                   | MHD_USE_TURBO | MHD_USE_ERROR_LOG;
  loop->daemon = MHD_start_daemon (
      flags, 0, NULL, NULL, answer, loop, MHD_OPTION_CONNECTION_LIMIT, 65000u,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) CONNECTION_MEMORY, MHD_OPTION_NOTIFY_COMPLETED,
      end, NULL, MHD_OPTION_END);
  return NULL != loop->daemon && 0 == pipe2 (loop->inbox, O_CLOEXEC | O_NONBLOCK)
         && 0 == pthread_create (&loop->thread, NULL, run, loop);
}
