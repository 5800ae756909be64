// Which tab this is: known to itself over a reload, and to the others for as long as it lives.

import { tabStorage } from './storage.js';
import { randomText } from './timing.js';

/** Where there are no locks (a page that is not from a secure origin), every tab is on its own. */
export const locks = navigator.locks;

/** Of the id in the tab's memory, and of the lock that each tab holds, with its id behind. */
const tabPlace = 'uifusion.tab.';
let release = () => {};

/** Resolves to the id; a tab that was duplicated has its memory, too, and may not send what the other one sends. */
export async function identify() {
  const known = tabStorage.getItem(tabPlace);
  if (!locks) return randomText();
  // The page that was here before may not have gone yet.
  for (let tries = 0; known && tries < 5; tries++) {
    if (await hold(known)) return known;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (const name of Object.keys(tabStorage).filter((name) => name.startsWith('uifusion.queue.'))) {
    tabStorage.removeItem(name);
  }
  const id = randomText();
  tabStorage.setItem(tabPlace, id);
  await hold(id);
  return id;
}

/** The tab is in the back/forward cache, and no longer there for the others. */
export const letGo = () => release();

/** The ids of all tabs that live; undefined where that is not known. */
export const livingTabs = async () => locks && new Set((await locks.query()).held.map(({ name }) => name.slice(tabPlace.length)));

function hold(id) {
  return new Promise((resolve) => {
    locks.request(tabPlace + id, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise((end) => { release = end; });
    });
  });
}
