// Runs the jobs of Swift's pool on as many threads as they need.
//
// Tests wait for processes, sockets and databases, and block the threads on which they do. Swift's pool has one for each
// core, and gets another a second after all are blocked: a test of a service in the same process, which hops between
// threads a hundred times, would take minutes.
//
// With `LATE_JOBS=1` in the environment, a third of the jobs wait for up to 2 ms, at random, before they run, and a third
// make the thread that enqueued them wait. Orders become frequent that a busy machine shows once in a thousand runs.

#define _GNU_SOURCE
#include "TestPool.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

// More than all tests block at once; beyond it, jobs wait.
enum { most_threads = 128 };

// All three are declared in the runtime's include/swift/Runtime/Concurrency.h.
typedef __attribute__((swiftcall)) void (*enqueue_global)(void *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_global original);
typedef struct {
  uintptr_t identity, implementation;
} serial_executor;
extern __attribute__((swiftcall)) void swift_job_run(void *job, serial_executor executor);

typedef struct entry {
  void *job;
  useconds_t delay;
  struct entry *next;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrival = PTHREAD_COND_INITIALIZER;
// Guard: lock, all of these.
static entry *first, **end = &first;
static int queued, idle, threads;

static int are_late;

static void *run_jobs(void *unused) {
  const serial_executor none = {0, 0};
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!first) {
      idle++;
      pthread_cond_wait(&arrival, &lock);
      idle--;
    }
    entry *next = first;
    first = next->next;
    if (!first) end = &first;
    queued--;
    pthread_mutex_unlock(&lock);
    if (next->delay > 0) usleep(next->delay);
    swift_job_run(next->job, none);
    free(next);
    pthread_mutex_lock(&lock);
  }
  return unused;
}

typedef struct {
  useconds_t of_job, of_enqueuer;
} delays;

static delays draw_delays(void) {
  static _Thread_local unsigned seed;
  if (!are_late) return (delays){0, 0};
  if (seed == 0) seed = (unsigned)gettid();
  const useconds_t delay = (useconds_t)rand_r(&seed) % 2000;
  switch (rand_r(&seed) % 3) {
    case 0: return (delays){delay, 0};
    case 1: return (delays){0, delay};
    default: return (delays){0, 0};
  }
}

static __attribute__((swiftcall)) void enqueue(void *job, enqueue_global original) {
  (void)original;
  const delays delay = draw_delays();
  entry *added = malloc(sizeof *added);
  if (!added) abort();
  *added = (entry){job, delay.of_job, NULL};
  pthread_mutex_lock(&lock);
  *end = added;
  end = &added->next;
  queued++;
  pthread_t thread;
  if (queued > idle && threads < most_threads && pthread_create(&thread, NULL, run_jobs, NULL) == 0) {
    pthread_detach(thread);
    threads++;
  }
  pthread_cond_signal(&arrival);
  pthread_mutex_unlock(&lock);
  if (delay.of_enqueuer > 0) usleep(delay.of_enqueuer);
}

__attribute__((constructor)) static void install(void) {
  are_late = getenv("LATE_JOBS") != NULL;
  swift_task_enqueueGlobal_hook = enqueue;
}
