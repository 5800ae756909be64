// Finds the session that a page shows: that of the page's address, else the browser's last one, else a new one.

import { placeOf } from '../Service/address.js';
import { attempt } from '../Service/attempts.js';
import { locks } from '../Service/locks.js';
import { later, loadMore } from '../Service/more.js';
import { parsed, request } from '../Service/request.js';
import { browserStorage } from '../Service/storage.js';
import { pageStream } from './page-stream.js';

const place = ({ viewModel, name = '', scope }) => placeOf('session', `${viewModel}${scope === 'shared' ? '/shared' : ''}.${name}`);

/** Returns the State that the service has put into the page: of a session, or, without `id`, a new session's first one. */
export const embedded = () => parsed(document.getElementById('uifusion-snapshot')?.textContent);

/** Returns the session id in the page's address. The browser sends `?session=` to the service, but not `#session=`. */
export function addressed() {
  const of = (text) => new URLSearchParams(text.slice(1)).get('session');
  return of(location.search) ?? of(location.hash);
}

/** Returns the id of the session that this browser had last. */
export const stored = (wish) => browserStorage.getItem(place(wish));

/** Reads a session; resolves to null if the service does not have it. */
async function find(id) {
  try {
    return (await request('GET', `sessions/${encodeURIComponent(id)}`)).body;
  } catch (refusal) {
    if (refusal.isGone) return null;
    throw refusal;
  }
}

/** Creates a session, or resolves to the `{id}` of one that another tab has just created. The session `last` is replaced. */
async function create(wish, last) {
  const key = place(wish);
  const make = async () => {
    const other = await justMade(key) ?? browserStorage.getItem(key);
    if (other && other !== last) return { id: other };
    const created = await pageStream().create(JSON.stringify(wish));
    browserStorage.setItem(key, created.id);
    await announce(key, created.id);
    return created;
  };
  let made;
  await attempt(() => locks.request(key, () => {
    made = make();
    return made;
  }));
  return made ?? make();
}

// Another process of the browser may see a stored text some milliseconds late, but sees a lock at once.

async function justMade(key) {
  const found = await attempt(() => locks.query());
  return found?.held.find(({ name }) => name.startsWith(`${key} `))?.name.slice(key.length + 1);
}

function announce(key, id) {
  return new Promise((announced) => {
    const hold = () => {
      announced();
      return new Promise((end) => {
        setTimeout(end, 2000);
        addEventListener('pagehide', end, { once: true });
      });
    };
    Promise.resolve(attempt(() => locks.request(`${key} ${id}`, hold))).then(announced);
  });
}

/** Resolves to a session, or just its `{id}`; `linkIsGone` tells whether the address names a session that is gone. */
export async function findOrMake(wish, last) {
  const linked = !wish.name && last === undefined && addressed();
  let linkIsGone = false;
  if (linked) {
    const found = await find(linked);
    if (found?.viewModel === wish.viewModel) return found;
    // The address may name the session of another view model on this page.
    linkIsGone = !found;
    if (linkIsGone) {
      later('forgetAddressed');
      loadMore();
    }
  }
  const id = stored(wish);
  const found = id && id !== last ? { id } : await create(wish, last);
  return { ...found, linkIsGone };
}
