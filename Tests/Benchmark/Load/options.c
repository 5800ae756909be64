#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void
refuse (const char *name, const char *value)
{
  fprintf (stderr, "load: %s %s is not understood; main.c says what is\n", name, value);
  exit (2);
}

static double
number (const char *name, const char *value)
{
  char *end;
  double number = strtod (value, &end);
  if (end == value || 0 != *end || number < 0)
    refuse (name, value);
  return number;
}

static int
read_text (struct options *options, const char *name, const char *value)
{
  if (0 == strcmp (name, "--view-model"))
    options->view_model = value;
  else if (0 == strcmp (name, "--setup"))
    options->setup = value;
  else if (0 == strcmp (name, "--input"))
    options->inputs[0] = value;
  else if (0 == strcmp (name, "--other-input"))
    options->inputs[1] = value;
  else if (0 == strcmp (name, "--header"))
    options->header = value;
  else
    return 0;
  return 1;
}

struct options
options_read (int count, char **arguments)
{
  struct options options = {
    .view_model = "counter-sync",
    .inputs = { "\"increase\"", NULL },
    .batch = 1,
    .connections = 64,
    .sessions = 64,
    .streams = 1000,
    .rate = 1000,
    .warm = 1,
    .seconds = 5,
  };
  const struct
  {
    const char *name;
    long *whole;
    double *real;
  } numbers[] = {
    { "--batch", &options.batch, NULL },       { "--connections", &options.connections, NULL },
    { "--sessions", &options.sessions, NULL }, { "--streams", &options.streams, NULL },
    { "--idle", &options.idle, NULL },         { "--rate", NULL, &options.rate },
    { "--warm", NULL, &options.warm },         { "--seconds", NULL, &options.seconds },
    { "--settle", NULL, &options.settle },
  };
  for (int i = 0; i + 1 < count; i += 2)
  {
    const char *name = arguments[i], *value = arguments[i + 1];
    if (read_text (&options, name, value))
      continue;
    size_t known = sizeof numbers / sizeof numbers[0], which = 0;
    if (0 == strcmp (name, "--port"))
      options.port = (int) number (name, value);
    else if (0 == strcmp (name, "--process"))
      options.process = (int) number (name, value);
    else
    {
      while (which < known && 0 != strcmp (name, numbers[which].name))
        which++;
      if (which == known)
        refuse (name, value);
      if (NULL != numbers[which].whole)
        *numbers[which].whole = (long) number (name, value);
      else
        *numbers[which].real = number (name, value);
    }
  }
  if (count % 2 != 0)
    refuse (arguments[count - 1], "");
  return options;
}
