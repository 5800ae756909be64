// The tab's id: the tab keeps it over reloads, and the other tabs see it for as long as the tab lives.

import { attempt } from '../Service/attempts.js';
import { dropLocks, locks } from '../Service/locks.js';
import { tabStorage } from '../Service/storage.js';
import { navigation, randomText } from '../Service/timing.js';

/** The key of the id in the tab's storage, and the beginning of the name of the tab's lock, which ends with the id. */
const tabPlace = 'uifusion.tab.';
let release = () => {};

/** Resolves to the id. A duplicated tab has a copy of the other one's storage: it gets a new id and drops the queues. */
export async function identify() {
  const known = tabStorage.getItem(tabPlace);
  if (!locks) return randomText();
  // The tab's last page may still hold the lock: for long, if it hangs while it is reloaded.
  if (known && await hold(known, navigation === 'reload' ? 10_000 : 500)) return known;
  if (known) for (const name of tabStorage.keys()) if (name.startsWith('uifusion.queue.')) tabStorage.removeItem(name);
  const id = randomText();
  tabStorage.setItem(tabPlace, id);
  if (!await hold(id, 5_000)) dropLocks();
  return id;
}

/** Releases the tab's lock, as the page goes into the back/forward cache. */
export const letGo = () => release();

/** Resolves to the ids of all living tabs; undefined without locks. */
export async function livingTabs() {
  const found = await attempt(() => locks.query());
  return found && new Set(found.held.map(({ name }) => name.slice(tabPlace.length)));
}

/** Resolves to whether no other tab has the lock; if the browser fails, goes on without locks. */
function hold(id, milliseconds) {
  const signal = AbortSignal.timeout(milliseconds);
  return new Promise((resolve) => {
    let isHeld = false;
    const term = attempt(() => locks.request(tabPlace + id, { signal }, () => {
      isHeld = true;
      resolve(true);
      return new Promise((end) => { release = end; });
    }));
    Promise.resolve(term).then(() => {
      if (!isHeld && !signal.aborted) dropLocks();
      resolve(!signal.aborted);
    });
  });
}
