/* The options of the command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

struct options
{
  int port;
  int process; /* The server's. */
  const char *view_model;
  const char *setup;     /* JSON that is first sent to each session, or NULL. */
  const char *inputs[2]; /* JSON that is sent alternately; the second may be NULL. */
  const char *header;    /* A header field of each Input, or NULL. */
  long batch;            /* The number of Inputs in each of `inputs`. */
  long connections;
  long sessions;
  long streams;
  long idle; /* The number of further, idle sessions with a stream each. */
  double rate;
  double warm, seconds; /* The seconds before and of the measurement. */
  double settle;        /* The seconds to wait before the memory of an idle server is read. */
};

/* Ends the program with 2 at an unknown name or a bad value. */
struct options options_read (int count, char **arguments);

#endif
