/* libcurl for Swift: the library's header, and wrappers of functions that Swift cannot call. */
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>

/* The parentheses avoid macros of the same names, which only check constants. */

/* curl_easy_setopt is variadic: its value is a long, a pointer or a function, depending on the option. */
static inline CURLcode
ccurl_set_number (CURL *handle, CURLoption option, long value)
{
  return (curl_easy_setopt) (handle, option, value);
}

static inline CURLcode
ccurl_set_pointer (CURL *handle, CURLoption option, void *value)
{
  return (curl_easy_setopt) (handle, option, value);
}

static inline CURLcode
ccurl_set_text (CURL *handle, CURLoption option, const char *value)
{
  return (curl_easy_setopt) (handle, option, value);
}

/* CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION and CURLOPT_READFUNCTION. */
typedef size_t (*ccurl_transfer) (char *bytes, size_t size, size_t count, void *context);

static inline CURLcode
ccurl_set_transfer (CURL *handle, CURLoption option, ccurl_transfer function)
{
  return (curl_easy_setopt) (handle, option, function);
}

static inline CURLcode
ccurl_set_before_request (CURL *handle, curl_prereq_callback function)
{
  return (curl_easy_setopt) (handle, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode
ccurl_set_new_socket (CURL *handle, curl_sockopt_callback function)
{
  return (curl_easy_setopt) (handle, CURLOPT_SOCKOPTFUNCTION, function);
}

/* curl_easy_getinfo is variadic. */
static inline void *
ccurl_private (CURL *handle)
{
  char *pointer = NULL;
  (curl_easy_getinfo) (handle, CURLINFO_PRIVATE, &pointer);
  return pointer;
}

/* curl_multi_setopt is variadic. */
static inline CURLMcode
ccurl_multi_set_number (CURLM *multi, CURLMoption option, long value)
{
  return (curl_multi_setopt) (multi, option, value);
}

/* A union in a message. */
static inline CURLcode
ccurl_result (const CURLMsg *message)
{
  return message->data.result;
}

#endif
