// The tab's id: the tab keeps it over reloads, and the other tabs see it for as long as the tab lives.

import { keep, tabStorage } from './storage.js';
import { navigation, randomText } from './timing.js';

/** The browser's locks. Without them (the origin is not secure, or may store nothing), each tab has its own stream. */
export let { locks } = navigator;

/** The key of the id in the tab's storage, and the beginning of the name of the tab's lock, which ends with the id. */
const tabPlace = 'uifusion.tab.';
let release = () => {};

/** Resolves to the id. A duplicated tab has a copy of the other one's storage: it gets a new id and drops the queues. */
export async function identify() {
  const known = tabStorage.getItem(tabPlace);
  if (!locks) return randomText();
  // The tab's last page may still hold the lock: for long, if it hangs while it is reloaded.
  if (known && await hold(known, navigation === 'reload' ? 10_000 : 500)) return known;
  for (const name of Object.keys(tabStorage).filter((name) => name.startsWith('uifusion.queue.'))) {
    tabStorage.removeItem(name);
  }
  const id = randomText();
  keep(tabStorage, tabPlace, id);
  if (!await hold(id, 5_000)) locks = undefined;
  return id;
}

/** Releases the tab's lock, as the page goes into the back/forward cache. */
export const letGo = () => release();

/** Resolves to the ids of all living tabs; undefined without locks. */
export const livingTabs = async () => locks && new Set((await locks.query()).held.map(({ name }) => name.slice(tabPlace.length)));

function hold(id, milliseconds) {
  return new Promise((resolve) => {
    locks.request(tabPlace + id, { signal: AbortSignal.timeout(milliseconds) }, () => {
      resolve(true);
      return new Promise((end) => { release = end; });
    }).catch(() => resolve(false));
  });
}
