/* Event streams, which libmicrohttpd writes; suspended while there is no new version. */
#ifndef STREAM_H
#define STREAM_H

#include "loop.h"
#include "session.h"

/* Responds with the session's stream. */
enum MHD_Result stream_open (struct loop *loop, struct MHD_Connection *connection,
                             struct session *session);

/* Resumes the suspended streams of a session, whose lock must be held. */
void streams_wake (struct stream *first);

#endif
