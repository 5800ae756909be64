#include "files.h"

// Standard since C23, and an extension of Clang before.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE_NAMED(name) \
  const unsigned char *const fusion_##name = bytes_of_##name; \
  const size_t fusion_##name##_count = sizeof bytes_of_##name;

static const unsigned char bytes_of_console_css[] = {
#embed "../../API/WebClient/console.css"
};
static const unsigned char bytes_of_console_html[] = {
#embed "../../API/WebClient/console.html"
};
static const unsigned char bytes_of_console_js[] = {
#embed "../../API/WebClient/Bundle/console.js"
};
static const unsigned char bytes_of_uifusion_d_ts[] = {
#embed "../../API/WebClient/uifusion.d.ts"
};
static const unsigned char bytes_of_uifusion_gestures_js[] = {
#embed "../../API/WebClient/Bundle/uifusion-gestures.js"
};
static const unsigned char bytes_of_uifusion_js[] = {
#embed "../../API/WebClient/Bundle/uifusion.js"
};
static const unsigned char bytes_of_uifusion_login_js[] = {
#embed "../../API/WebClient/Bundle/uifusion-login.js"
};
static const unsigned char bytes_of_uifusion_more_js[] = {
#embed "../../API/WebClient/Bundle/uifusion-more.js"
};

FILE_NAMED(console_css)
FILE_NAMED(console_html)
FILE_NAMED(console_js)
FILE_NAMED(uifusion_d_ts)
FILE_NAMED(uifusion_gestures_js)
FILE_NAMED(uifusion_js)
FILE_NAMED(uifusion_login_js)
FILE_NAMED(uifusion_more_js)
