// The files of the client for browsers, embedded by the preprocessor: as array literals, Swift would compile them for longer
// than any module but the Kit.

#include <stddef.h>

#define FILE_NAMED(name) \
  extern const unsigned char *const fusion_##name; \
  extern const size_t fusion_##name##_count;

FILE_NAMED(console_css)
FILE_NAMED(console_html)
FILE_NAMED(console_js)
FILE_NAMED(session_d_ts)
FILE_NAMED(session_js)
FILE_NAMED(uifusion_d_ts)
FILE_NAMED(uifusion_gestures_js)
FILE_NAMED(uifusion_js)
FILE_NAMED(uifusion_login_js)
FILE_NAMED(uifusion_more_js)

#undef FILE_NAMED
