/* libmicrohttpd for Swift: the library's header, wrappers of functions that Swift cannot call, and the
 * Linux headers that an event loop needs and Swift's Glibc omits. */
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/* A cast macro: Swift does not import macros with casts. */
static const uint64_t cmhd_size_unknown = MHD_SIZE_UNKNOWN;

/* A cast macro. */
static const ssize_t cmhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;

/* A cast macro. */
static const ssize_t cmhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

/* A callback with a va_list, which a Swift function cannot have: formats the message and passes it on.
 * The library's cls is a pointer to the receiver, which must outlive the daemon. */
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

/* MHD_start_daemon is variadic; all options are in `options`, which ends with MHD_OPTION_END. The daemon
 * does not listen itself, so it has no port. */
static inline struct MHD_Daemon *
cmhd_start_daemon (unsigned int flags, MHD_AccessHandlerCallback handler, void *context,
                   struct MHD_OptionItem *options)
{
  return MHD_start_daemon (flags, 0, NULL, NULL, handler, context,
                           MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/* MHD_get_daemon_info is variadic. The descriptor is readable when the daemon has work. */
static inline int
cmhd_epoll_descriptor (struct MHD_Daemon *daemon)
{
  return MHD_get_daemon_info (daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

/* epoll's user data is a union. */
static inline int
cmhd_epoll_add (int epoll, int descriptor, uint32_t events, uint64_t token)
{
  struct epoll_event event = { .events = events, .data.u64 = token };
  return epoll_ctl (epoll, EPOLL_CTL_ADD, descriptor, &event);
}

/* glibc declares these only with _GNU_SOURCE. */
extern int accept4 (int socket, struct sockaddr *address, socklen_t *length, int flags);
extern int sched_getaffinity (pid_t process, size_t size, cpu_set_t *mask);

/* MHD_set_response_options is variadic. Sends no chunks, and closes the connection afterwards. */
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

/* MHD_set_connection_option is variadic. The timeout is in seconds; 0 means none. */
static inline enum MHD_Result
cmhd_set_timeout (struct MHD_Connection *connection, unsigned int seconds)
{
  return MHD_set_connection_option (connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/* MHD_get_connection_info is variadic. The size of the head, including the request line and the empty line. */
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
