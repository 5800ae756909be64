/* What C can do on the same libmicrohttpd: only the measured part of the service's interface, without the checks
 * that make the service safe. Listens on a free port of 127.0.0.1.
 *
 * usage: ceiling [DATABASE] */
#define _GNU_SOURCE
#include "loop.h"
#include "request.h"
#include "store.h"

#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>

#define MOST_LOOPS 64

static struct loop loops[MOST_LOOPS];

static int
processors (void)
{
  cpu_set_t set;
  int count = 0 == sched_getaffinity (0, sizeof set, &set) ? CPU_COUNT (&set) : 1;
  return count < MOST_LOOPS ? count : MOST_LOOPS;
}

static int
listen_on_loopback (void)
{
  int listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address
      = { .sin_family = AF_INET, .sin_addr = { htonl (INADDR_LOOPBACK) } };
  socklen_t size = sizeof address;
  if (listener < 0 || 0 != bind (listener, (struct sockaddr *) &address, size)
      || 0 != listen (listener, 4096)
      || 0 != getsockname (listener, (struct sockaddr *) &address, &size))
  {
    perror ("ceiling: cannot listen");
    return -1;
  }
  printf ("listening on http://127.0.0.1:%d\n", ntohs (address.sin_port));
  fflush (stdout);
  return listener;
}

int
main (int count, char **arguments)
{
  signal (SIGPIPE, SIG_IGN);
  if (count > 1 && !store_open (arguments[1]))
    return 1;
  int last = processors ();
  for (int i = 0; i < last; i++)
    if (!loop_start (&loops[i], request_answer, request_end))
    {
      fprintf (stderr, "ceiling: cannot start a loop\n");
      return 1;
    }
  int listener = listen_on_loopback ();
  for (int i = 0; listener >= 0; i = (i + 1) % last)
  {
    int socket = accept4 (listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket >= 0)
      loop_add (&loops[i], socket);
  }
  return 1;
}
