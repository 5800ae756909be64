/* Nettle for Swift: the one header of the library that is used. */
#ifndef CNETTLE_SHIM_H
#define CNETTLE_SHIM_H

#include <nettle/hmac.h>

#endif
