// Which tab this is: known to itself over a reload, and to the others for as long as it lives.

import { keep, tabStorage } from './storage.js';
import { navigation, randomText } from './timing.js';

/** Where there are no locks (the origin is not secure, or may store nothing), every tab is on its own. */
export let { locks } = navigator;

/** Of the id in the tab's memory, and of the lock that each tab holds, with its id behind. */
const tabPlace = 'uifusion.tab.';
let release = () => {};

/** Resolves to the id; a tab that was duplicated has its memory, too, and may not send what the other one sends. */
export async function identify() {
  const known = tabStorage.getItem(tabPlace);
  if (!locks) return randomText();
  // The page that was here before may not have gone yet; one that hangs takes its time to be reloaded.
  if (known && await hold(known, navigation === 'reload' ? 10_000 : 500)) return known;
  for (const name of Object.keys(tabStorage).filter((name) => name.startsWith('uifusion.queue.'))) {
    tabStorage.removeItem(name);
  }
  const id = randomText();
  keep(tabStorage, tabPlace, id);
  if (!await hold(id, 5_000)) locks = undefined;
  return id;
}

/** The tab is in the back/forward cache, and no longer there for the others. */
export const letGo = () => release();

/** The ids of all tabs that live; undefined where that is not known. */
export const livingTabs = async () => locks && new Set((await locks.query()).held.map(({ name }) => name.slice(tabPlace.length)));

function hold(id, milliseconds) {
  return new Promise((resolve) => {
    locks.request(tabPlace + id, { signal: AbortSignal.timeout(milliseconds) }, () => {
      resolve(true);
      return new Promise((end) => { release = end; });
    }).catch(() => resolve(false));
  });
}
