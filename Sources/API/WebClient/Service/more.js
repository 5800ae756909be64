// Loads the client's second module, `/uifusion-more.js`: what only some pages need, or no page needs at once. It imports nothing
// from this one, but is handed the symbols, as a page may have this module by any address.

import { address } from './address.js';
import { backoff, navigation } from './timing.js';

export const build = '{{build}}'; // `make client` writes it into both modules
const timeout = 10_000; // milliseconds

/** The symbols that the second module needs from this one; `make client` fills the array. */
export const shared = [];

/** The functions that others wait for, once the second module has come. */
export const more = {};

const tasks = []; // for the second module, as long as it has not come
let doers;

/** Has the second module do something: now, or once it has come. */
export function later(name, ...values) {
  if (doers) doers[name](...values);
  else tasks.push([name, values]);
}

/** Takes over the tasks, each by the function of its name; one that fails leaves the others alone. */
export function takeOver(its) {
  doers = its;
  for (const [name, values] of tasks.splice(0)) queueMicrotask(() => doers[name](...values));
}

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
    end();
  } else if (rest instanceof TypeError) setTimeout(ask, backoff(failures) * 1000, failures + 1);
  else mismatch();
}

/** The two modules are of different builds: reloads the page once, to get both of one build. */
function mismatch() {
  end('uifusion-more.js is of another build');
  if (navigation !== 'reload') location.reload();
}
