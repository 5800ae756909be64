/* libmicrohttpd for Swift: the library's own header, and what of it Swift cannot call. */
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>

/* A cast macro: Swift imports no macro with a cast in it. */
static const uint64_t cmhd_size_unknown = MHD_SIZE_UNKNOWN;

/* A cast macro. */
static const ssize_t cmhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;

/* A callback with a va_list, which no Swift function can be: formats the message and passes it on.
 * As the library's cls, a pointer to the receiver, which must outlive the daemon. */
struct cmhd_log_receiver
{
  void (*receive) (void *context, const char *text);
  void *context;
};

static inline void
cmhd_log (void *receiver, const char *format, va_list arguments)
{
  struct cmhd_log_receiver *to = receiver;
  char text[512];
  vsnprintf (text, sizeof (text), format, arguments);
  to->receive (to->context, text);
}

static inline intptr_t
cmhd_log_address (void)
{
  return (intptr_t) &cmhd_log;
}

/* MHD_start_daemon is variadic; everything that varies is in `options`, which ends with
 * MHD_OPTION_END. The socket to listen on is one of them, so there is no port. */
static inline struct MHD_Daemon *
cmhd_start_daemon (unsigned int flags, MHD_AccessHandlerCallback handler, void *context,
                   struct MHD_OptionItem *options)
{
  return MHD_start_daemon (flags, 0, NULL, NULL, handler, context,
                           MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/* MHD_set_response_options is variadic. No chunks, and the connection closes afterwards. */
static inline enum MHD_Result
cmhd_without_chunks (struct MHD_Response *response)
{
  return MHD_set_response_options (response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/* MHD_get_connection_info is variadic. */
static inline int
cmhd_descriptor (struct MHD_Connection *connection)
{
  return MHD_get_connection_info (connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/* MHD_get_connection_info is variadic. From the method's first byte to the empty line's last. */
static inline size_t
cmhd_head_size (struct MHD_Connection *connection)
{
  return MHD_get_connection_info (connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
}

/* MHD_get_connection_info is variadic. */
static inline void *
cmhd_socket_context (struct MHD_Connection *connection)
{
  return MHD_get_connection_info (connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

#endif
