/* System calls that fail when another process says so.
 *
 * An executable that links this has its own pwrite64, fdatasync, fsync and ftruncate64, which libraries
 * find before libc's (ld.so(8)). They do as libc's do, but where FAULTING_CALLS names a file that
 * fcalls_open has made: that says which of the calls on an SQLite database and its log fail. */
#ifndef FAULTING_CALLS_H
#define FAULTING_CALLS_H

enum fcalls_effect
{
  FCALLS_PASS = 0,
  /* With EIO. */
  FCALLS_FAIL,
  /* With ENOSPC, after a part of a write. */
  FCALLS_FULL,
  /* Waits until this is another effect, and then succeeds. */
  FCALLS_HANG,
  /* Succeeds after 5 ms. */
  FCALLS_SLOW
};

struct fcalls;

/* Makes the file, or opens it; NULL where that fails. */
struct fcalls *fcalls_open (const char *path);
void fcalls_close (struct fcalls *calls);

/* What happens to writes and syncs from here on, each so likely in percent. */
void fcalls_set (struct fcalls *calls, int writes, int syncs, int percent);

/* How many calls did not just pass. */
long fcalls_faults (struct fcalls *calls);

#endif
