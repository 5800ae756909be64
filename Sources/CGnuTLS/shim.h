/* GnuTLS for Swift: the one header of the library that is used. */
#ifndef CGNUTLS_SHIM_H
#define CGNUTLS_SHIM_H

#include <gnutls/gnutls.h>

#endif
