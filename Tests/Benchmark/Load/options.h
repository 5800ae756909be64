/* What is measured, as the command line says. */
#ifndef OPTIONS_H
#define OPTIONS_H

struct options
{
  int port;
  int process; /* The server's. */
  const char *view_model;
  const char *setup;     /* JSON that each session is sent first, or NULL. */
  const char *inputs[2]; /* JSON that is sent in turn; the second may be NULL. */
  const char *header;    /* A field that each Input is sent with, or NULL. */
  long batch;            /* How many Inputs each of these is. */
  long connections;
  long sessions;
  long streams;
  long idle; /* More sessions with a stream each, in which nothing happens. */
  double rate;
  double warm, seconds; /* Not measured, and measured. */
  double settle;        /* How long an idle server is left alone before its memory is read. */
};

/* Ends the program with 2 where there is an unknown name or a bad value. */
struct options options_read (int count, char **arguments);

#endif
