// Loads the client's second module, `/uifusion-more.js`: what only some pages need, or no page needs at once. It imports nothing
// from this one, but is handed the symbols, as a page may have this module by any address.

import { address } from './address.js';
import { backoff, navigation } from './timing.js';

export const build = '{{build}}'; // `make client` writes it into both modules
const timeout = 10_000; // milliseconds

/** The symbols that the second module needs from this one; `make client` fills the array. */
export const shared = [];

/** The exports of the second module, once it has come. */
export const more = {};

let arrive;
/** Resolves to `more` once the second module has come; does not load it. */
export const arrival = new Promise((resolve) => { arrive = resolve; });

let decide;
const decision = new Promise((resolve) => { decide = resolve; });
let [isComing, isDecided] = [false, false];

/** Whether the second module has neither come nor been given up. */
export const isAwaited = () => !isDecided;

/** Loads the second module, and retries until it comes. Resolves to `more`, which stays empty if it does not come in time. */
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

/** The two modules are of different builds: reloads the page once, to get both of one build. */
function mismatch() {
  end('uifusion-more.js is of another build');
  if (navigation !== 'reload') location.reload();
}
