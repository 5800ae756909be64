#include "files.h"

// Standard since C23, and an extension of Clang before.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE_NAMED(name) \
  const unsigned char *const fusion_##name = name; \
  const size_t fusion_##name##_count = sizeof name;

static const unsigned char console_css[] = {
#embed "../../API/WebClient/console.css"
};
FILE_NAMED(console_css)

static const unsigned char console_html[] = {
#embed "../../API/WebClient/console.html"
};
FILE_NAMED(console_html)

static const unsigned char console_js[] = {
#embed "../../API/WebClient/Bundle/console.js"
};
FILE_NAMED(console_js)

static const unsigned char session_d_ts[] = {
#embed "../../API/WebClient/Alone/session.d.ts"
};
FILE_NAMED(session_d_ts)

static const unsigned char session_js[] = {
#embed "../../API/WebClient/Alone/session.js"
};
FILE_NAMED(session_js)

static const unsigned char uifusion_d_ts[] = {
#embed "../../API/WebClient/uifusion.d.ts"
};
FILE_NAMED(uifusion_d_ts)

static const unsigned char uifusion_gestures_js[] = {
#embed "../../API/WebClient/Bundle/uifusion-gestures.js"
};
FILE_NAMED(uifusion_gestures_js)

static const unsigned char uifusion_js[] = {
#embed "../../API/WebClient/Bundle/uifusion.js"
};
FILE_NAMED(uifusion_js)

static const unsigned char uifusion_login_js[] = {
#embed "../../API/WebClient/Bundle/uifusion-login.js"
};
FILE_NAMED(uifusion_login_js)

static const unsigned char uifusion_more_js[] = {
#embed "../../API/WebClient/Bundle/uifusion-more.js"
};
FILE_NAMED(uifusion_more_js)
