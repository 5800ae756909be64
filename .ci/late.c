// Delays jobs for the Swift runtime's pool: at random half of them, by up to 2 ms, on the thread that enqueues them.
//
// Preloaded into a test process. Orders become frequent that a busy machine shows once in a thousand runs.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Both are declared in the runtime's include/swift/Runtime/Concurrency.h.
typedef __attribute__((swiftcall)) void (*enqueue_global)(void *job);
typedef __attribute__((swiftcall)) void (*enqueue_global_hook)(void *job, enqueue_global original);

static __thread unsigned seed;

static __attribute__((swiftcall)) void enqueue_late(void *job, enqueue_global original) {
  if (seed == 0) seed = (unsigned)gettid();
  if (rand_r(&seed) % 2 == 0) usleep(rand_r(&seed) % 2000);
  original(job);
}

__attribute__((constructor)) static void install(void) {
  enqueue_global_hook *hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  if (hook) {
    *hook = enqueue_late;
  } else if (strncmp(program_invocation_short_name, "UIFusionPackage", 15) == 0) {
    // Other programs that the tests start may be linked statically.
    fputs("late.c: this Swift runtime has no swift_task_enqueueGlobal_hook\n", stderr);
    abort();
  }
}
