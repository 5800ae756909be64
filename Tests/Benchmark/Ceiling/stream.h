/* Streams of events, which libmicrohttpd writes: suspended while there is nothing new. */
#ifndef STREAM_H
#define STREAM_H

#include "loop.h"
#include "session.h"

/* Answers with the session's stream. */
enum MHD_Result stream_open (struct loop *loop, struct MHD_Connection *connection,
                             struct session *session);

/* Resumes those that wait, with their session's lock held. */
void streams_wake (struct stream *first);

#endif
