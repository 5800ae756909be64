/* A request, from its first byte to its response. */
#ifndef REQUEST_H
#define REQUEST_H

#include "loop.h"
#include "session.h"

#include <stdatomic.h>

enum request_kind
{
  REQUEST_UNKNOWN,
  REQUEST_CREATE,
  REQUEST_INPUT
};

struct request
{
  enum request_kind kind;
  struct session *session;
  struct loop *loop;
  struct MHD_Connection *connection;
  struct request *next; /* In the store's queue. */
  long version;         /* The version after its Input. */
  atomic_bool is_stored;
  size_t length;
  char body[256];
};

enum MHD_Result request_answer (void *loop, struct MHD_Connection *connection, const char *target,
                                const char *method, const char *protocol, const char *part,
                                size_t *size, void **request);

void request_end (void *context, struct MHD_Connection *connection, void **request,
                  enum MHD_RequestTerminationCode reason);

#endif
