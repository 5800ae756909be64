#include "usage.h"

#include "clock.h"
#include "fault.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static double
seconds (struct timeval time)
{
  return (double) time.tv_sec + (double) time.tv_usec / 1e6;
}

/* All of kthreadd's children are threads of the kernel. */
#define KTHREADD 2

/* Fields 4, 14 and 15 of proc_pid_stat(5); the name before them may hold anything but a last parenthesis.
 * Returns false if the process is gone. */
static int
read_process (const char *process, int *parent, double *ticks)
{
  char path[300], text[1024];
  snprintf (path, sizeof path, "/proc/%s/stat", process);
  FILE *file = fopen (path, "r");
  if (NULL == file)
    return 0;
  text[fread (text, 1, sizeof text - 1, file)] = 0;
  fclose (file);
  unsigned long user = 0, system = 0;
  const char *rest = strrchr (text, ')');
  *ticks = 0;
  if (NULL == rest
      || 3
             != sscanf (rest + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", parent,
                        &user, &system))
    return 0;
  *ticks = (double) (user + system);
  return 1;
}

static double
server_ticks (int process)
{
  char name[32];
  int parent;
  double ticks;
  snprintf (name, sizeof name, "%d", process);
  if (!read_process (name, &parent, &ticks))
    fault ("no process %d", process);
  return ticks;
}

static double
kernel_ticks (void)
{
  double sum = 0, ticks;
  int parent;
  DIR *processes = opendir ("/proc");
  const struct dirent *entry;
  while (NULL != processes && NULL != (entry = readdir (processes)))
    if (isdigit ((unsigned char) entry->d_name[0]) && read_process (entry->d_name, &parent, &ticks)
        && KTHREADD == parent)
      sum += ticks;
  if (NULL != processes)
    closedir (processes);
  return sum;
}

struct usage
usage_now (int process)
{
  /* Reading this takes longest, so it comes before the clock. */
  double tick = 1.0 / (double) sysconf (_SC_CLK_TCK), kernel = kernel_ticks () * tick;
  unsigned long long user, nice, system, idle, wait, irq, soft, steal;
  FILE *file = fopen ("/proc/stat", "r");
  if (NULL == file
      || 8
             != fscanf (file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system,
                        &idle, &wait, &irq, &soft, &steal))
    fault ("cannot read /proc/stat");
  fclose (file);
  struct rusage own;
  getrusage (RUSAGE_SELF, &own);
  return (struct usage) {
    .time = clock_now (),
    .server = server_ticks (process) * tick,
    .own = seconds (own.ru_utime) + seconds (own.ru_stime),
    .kernel = kernel,
    .machine = (double) (user + nice + system + irq + soft) * tick,
    .steal = (double) steal * tick,
  };
}

long
usage_memory (int process)
{
  char path[64], line[256];
  long memory = -1;
  snprintf (path, sizeof path, "/proc/%d/status", process);
  FILE *file = fopen (path, "r");
  while (NULL != file && NULL != fgets (line, sizeof line, file))
    if (1 == sscanf (line, "VmRSS: %ld", &memory))
      break;
  if (NULL != file)
    fclose (file);
  if (memory < 0)
    fault ("cannot read the memory of process %d", process);
  return memory;
}
