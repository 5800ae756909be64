#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void
fault (const char *format, ...)
{
  va_list values;
  va_start (values, format);
  fputs ("load: ", stderr);
  vfprintf (stderr, format, values);
  fputc ('\n', stderr);
  va_end (values);
  exit (1);
}
