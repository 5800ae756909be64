/* System calls that fail when another process requests it.
 *
 * An executable that links this library has its own pwrite64, fdatasync, fsync and ftruncate64, which other
 * libraries find before libc's (ld.so(8)). They behave like libc's unless FAULTING_CALLS names a file created
 * by fcalls_open, which controls the calls that fail on an SQLite database and its log. */
#ifndef FAULTING_CALLS_H
#define FAULTING_CALLS_H

enum fcalls_effect
{
  FCALLS_PASS = 0,
  /* Fails with EIO. */
  FCALLS_FAIL,
  /* Fails with ENOSPC, after a part of a write. */
  FCALLS_FULL,
  /* Waits until another effect is set, and then succeeds. */
  FCALLS_HANG,
  /* Succeeds after 5 ms. */
  FCALLS_SLOW
};

struct fcalls;

/* Creates or opens the file; returns NULL on failure. */
struct fcalls *fcalls_open (const char *path);
void fcalls_close (struct fcalls *calls);

/* Sets the effects on writes and on syncs, and their probability in percent. */
void fcalls_set (struct fcalls *calls, int writes, int syncs, int percent);

/* Returns the number of calls with an effect. */
long fcalls_faults (struct fcalls *calls);

#endif
