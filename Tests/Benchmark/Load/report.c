#include "report.h"

#include "clock.h"

#include <stdio.h>

static const char *separator = "{";

void
report_begin (void)
{
  separator = "{";
}

void
report_number (const char *name, double value)
{
  printf ("%s\"%s\":%.3f", separator, name, value);
  separator = ",";
}

void
report_durations (const char *prefix, const struct histogram *histogram)
{
  char name[64];
  snprintf (name, sizeof name, "%sp50_us", prefix);
  report_number (name, histogram_quantile (histogram, 0.5) / 1e3);
  snprintf (name, sizeof name, "%sp99_us", prefix);
  report_number (name, histogram_quantile (histogram, 0.99) / 1e3);
}

void
report_usage (struct usage before, struct usage after, double count)
{
  double elapsed = (double) (after.time - before.time) / SECOND;
  double server = after.server - before.server, own = after.own - before.own;
  double kernel = after.kernel - before.kernel;
  double others = after.machine - before.machine - server - own - kernel;
  report_number ("seconds", elapsed);
  report_number ("rate", count / elapsed);
  report_number ("server_us", count > 0 ? server * 1e6 / count : 0);
  report_number ("server_cores", server / elapsed);
  report_number ("load_cores", own / elapsed);
  report_number ("kernel_cores", (kernel > 0 ? kernel : 0) / elapsed);
  report_number ("others_cores", (others > 0 ? others : 0) / elapsed);
  report_number ("steal_cores", (after.steal - before.steal) / elapsed);
}

void
report_end (void)
{
  puts ("}");
}
