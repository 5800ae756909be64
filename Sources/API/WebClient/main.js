// What a page gets: `import { session } from '/uifusion.js'`, and bindings for the elements that ask for them.

import { behavior } from './Bindings/behaviors.js';
import { bind } from './Bindings/bindings.js';
import { format } from './Bindings/formats.js';
import { serveOffline, workOffline } from './Core/offline.js';
import { Refusal } from './Core/request.js';
import { Session } from './Core/session.js';
import { session } from './Core/sessions.js';

export { behavior, bind, format, Refusal, Session, session };

if (globalThis.document) {
  bind(document);
  // When nothing else is on its way. A browser that may store nothing refuses.
  addEventListener('load', () => setTimeout(() => workOffline().catch(() => {}), 1000));
} else {
  serveOffline();
}
