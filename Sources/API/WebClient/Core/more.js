// The rest of the client, `/uifusion-more.js`: what only some pages need, and what no page needs at once.

import { address } from './request.js';
import { backoff } from './timing.js';

/** What it exports, once it is there. */
export const more = {};

let arrive;
/** Resolves to that; asks for nothing. */
export const arrival = new Promise((resolve) => { arrive = resolve; });

export const add = (parts) => arrive(Object.assign(more, parts));

let isComing = false;

/** Asks for it until it comes; resolves to what it exports. */
export function loadMore() {
  if (!isComing) ask(0);
  isComing = true;
  return arrival;
}

function ask(failures) {
  // A browser may remember that an address has failed.
  const again = failures ? `?again=${failures}` : '';
  import(address(`uifusion-more.js${again}`)).catch(() => setTimeout(ask, backoff(failures) * 1000, failures + 1));
}
