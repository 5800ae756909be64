// Which session a page shows: the one that its address names, the one that this browser had last, or a new one.

import { loadMore } from './more.js';
import { parsed, placeOf, request } from './request.js';
import { sharedStream } from './sharing.js';
import { browserStorage, keep } from './storage.js';
import { locks } from './tab.js';

const place = (viewModel, name) => placeOf('session', `${viewModel}.${name}`);

/** The State that the service has put into the page: of a session, or, without `id`, what a new one begins with. */
export const embedded = () => parsed(document.getElementById('uifusion-snapshot')?.textContent);

/** `?session=` goes to the service, `#session=` does not. */
export function addressed() {
  const of = (text) => new URLSearchParams(text.slice(1)).get('session');
  return of(location.search) ?? of(location.hash);
}

/** The one that this browser had last. */
export const stored = (viewModel, name) => browserStorage.getItem(place(viewModel, name));

/** Reads a session; null where it is not there. */
async function find(id) {
  try {
    return (await request('GET', `sessions/${encodeURIComponent(id)}`)).body;
  } catch (refusal) {
    if (refusal.isGone) return null;
    throw refusal;
  }
}

/** Makes a session, unless another tab has just done so: then answers `{id}`. `last` is the one that it replaces. */
async function create(viewModel, name, parameters, last) {
  const key = place(viewModel, name);
  const make = async () => {
    const other = await justMade(key) ?? browserStorage.getItem(key);
    if (other && other !== last) return { id: other };
    const created = await sharedStream().create(JSON.stringify({ viewModel, parameters }));
    keep(browserStorage, key, created.id);
    await announce(key, created.id);
    return created;
  };
  return locks ? locks.request(key, make) : make();
}

// What one process of the browser stores, another one may see some milliseconds later; a lock it sees at once.

async function justMade(key) {
  const { held } = await locks?.query() ?? { held: [] };
  return held.find(({ name }) => name.startsWith(`${key} `))?.name.slice(key.length + 1);
}

function announce(key, id) {
  return locks && new Promise((announced) => {
    locks.request(`${key} ${id}`, () => {
      announced();
      return new Promise((end) => {
        setTimeout(end, 2000);
        addEventListener('pagehide', end, { once: true });
      });
    });
  });
}

/** Answers a session, or just its `{id}`, and with `linkIsGone` whether the address named another one. */
export async function findOrMake(viewModel, name, parameters, last) {
  const linked = !name && last === undefined && addressed();
  let linkIsGone = false;
  if (linked) {
    const found = await find(linked);
    if (found?.viewModel === viewModel) return found;
    // It may be that of another view model on this page.
    linkIsGone = !found;
    if (linkIsGone) loadMore().then((rest) => rest.forgetAddressed?.());
  }
  const id = stored(viewModel, name);
  const found = id && id !== last ? { id } : await create(viewModel, name, parameters, last);
  return { ...found, linkIsGone };
}
