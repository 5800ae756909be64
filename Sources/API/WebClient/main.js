// What a page gets: `import { session } from '/uifusion.js'`, and bindings for the elements that ask for them. It is one
// client, by however many addresses it is asked for: a browser runs a module once for each.

import { client } from './client.js';
import { loadMore } from './Core/more.js';

const page = globalThis['uifusion.js'] ??= client;
export const { behavior, bind, format, Refusal, Session, session } = page;

// In a service worker there is no document.
if (globalThis.document && page === client) {
  bind();
  // When nothing else is on its way; some pages are never done with loading.
  const later = (milliseconds) => setTimeout(loadMore, milliseconds);
  if (document.readyState === 'complete') later(500);
  else {
    addEventListener('load', () => later(500));
    later(5000);
  }
}
