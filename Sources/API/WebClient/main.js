// What a page gets: `import { session } from '/uifusion.js'`, and bindings for the elements that ask for them.

import { behavior } from './Bindings/behaviors.js';
import { bind } from './Bindings/bindings.js';
import { format } from './Bindings/formats.js';
import { loadMore } from './Core/more.js';
import { Refusal } from './Core/request.js';
import { Session } from './Core/session.js';
import { session } from './Core/sessions.js';

export { behavior, bind, format, Refusal, Session, session };

// In a service worker there is none.
if (globalThis.document) {
  bind();
  // When nothing else is on its way; some pages are never done with loading.
  const later = (milliseconds) => setTimeout(loadMore, milliseconds);
  if (document.readyState === 'complete') later(500);
  else {
    addEventListener('load', () => later(500));
    later(5000);
  }
}
