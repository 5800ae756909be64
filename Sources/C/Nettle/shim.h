/* Nettle for Swift: the library's only header in use. */
#ifndef CNETTLE_SHIM_H
#define CNETTLE_SHIM_H

#include <nettle/hmac.h>

#endif
