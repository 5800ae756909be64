// The rest of the client, `/uifusion-more.js`: what only some pages need, and what no page needs at once. It is given what
// both are made of, as nobody knows by which address the page has this module.

import { address } from './request.js';
import { backoff, navigation } from './timing.js';

export const build = '{{build}}'; // `make client` writes it into both
const timeout = 10_000; // milliseconds

/** What the rest needs of this module; `make client` fills it. */
export const shared = [];

/** What the rest consists of, once it is there. */
export const more = {};

let arrive;
/** Resolves to that, once it is there; asks for nothing. */
export const arrival = new Promise((resolve) => { arrive = resolve; });

let decide;
const decision = new Promise((resolve) => { decide = resolve; });
let [isComing, isDecided] = [false, false];

/** Whether it is still worth waiting for. */
export const isAwaited = () => !isDecided;

/** Asks for it until it comes; resolves to what it consists of, which is nothing if it does not come in time. */
export function loadMore() {
  if (!isComing) {
    isComing = true;
    ask(0);
    setTimeout(() => end('uifusion-more.js does not come'), timeout);
  }
  return decision;
}

function end(trouble) {
  if (isDecided) return;
  isDecided = true;
  if (trouble) console.error(trouble);
  decide(more);
}

async function ask(failures) {
  // A browser may remember that an address has failed.
  const again = failures ? `&again=${failures}` : '';
  const rest = await import(address(`uifusion-more.js?v=${build}${again}`)).catch((error) => error);
  if (rest.build === build) {
    rest.install(shared);
    arrive(more);
    end();
  } else if (rest instanceof TypeError) setTimeout(ask, backoff(failures) * 1000, failures + 1);
  else mismatch();
}

/** One of the two is of another build: once, a new page may get both of the same. */
function mismatch() {
  end('uifusion-more.js is of another build');
  if (navigation !== 'reload') location.reload();
}
