// The module that pages import: `import { session } from '/uifusion.js'`. It also binds the page's elements. A browser runs a
// module once for each address, but all instances share one client.

import { pass } from './Expressions/formats.js';
import { loadMore } from './Service/more.js';
import { oncePerFrame } from './Service/timing.js';
import { client } from './client.js';

const page = globalThis['uifusion.js'] ??= client;
export const { behavior, bind, format, Refusal, Session, session } = page;

// In a service worker there is no document.
if (globalThis.document && page === client) {
  bind();
  setInterval(pass, 30_000);
  // Loads the second module once the page has been painted.
  oncePerFrame(() => setTimeout(loadMore))();
}
