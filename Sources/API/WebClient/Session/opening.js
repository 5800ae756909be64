// Finds the session that a page shows: that of the page's address, else the browser's last one, else a new one.

import { placeOf } from '../Service/address.js';
import { attempt } from '../Service/attempts.js';
import { locks } from '../Service/locks.js';
import { later, loadMore } from '../Service/more.js';
import { parsed, request, senderPlace } from '../Service/request.js';
import { browserStorage, tabStorage } from '../Service/storage.js';
import { pageStream } from './page-stream.js';

const isOwn = ({ scope }) => scope === 'identity';
const place = ({ viewModel, name = '', scope }, kind = isOwn({ scope }) ? 'named' : 'session') =>
  placeOf(kind, `${viewModel}${scope === 'shared' ? '/shared' : ''}.${name}`);

/** The mark of the tab's user; empty while it is not known, or nobody is signed in. */
const mark = () => tabStorage.getItem(senderPlace) ?? '';

/** Returns the State that the service has put into the page: of a session, or, without `id`, a new session's first one. */
export const embedded = () => parsed(document.getElementById('uifusion-snapshot')?.textContent);

/** Returns the session id in the page's address. The browser sends `?session=` to the service, but not `#session=`. */
export function addressed() {
  const of = (text) => new URLSearchParams(text.slice(1)).get('session');
  return of(location.search) ?? of(location.hash);
}

/** Returns the id of the session that this browser had last; of a user's own one by name, their mark follows. */
export const stored = (wish) => browserStorage.getItem(place(wish));

/** Where an earlier client stored the id of a browser's session of that name, which had no name for the service. */
const earlier = (wish) => (isOwn(wish) ? place(wish, 'session') : '');

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
    const [before] = stored(wish)?.split(' ') ?? [];
    const other = await justMade(key) ?? (isOwn(wish) ? '' : before);
    if (other && other !== last) return { id: other };
    // Whose own session it is, only the service knows; without a user, it is the one that this browser had.
    const session = isOwn(wish) && before !== last ? before : undefined;
    const created = await pageStream().create(JSON.stringify({ ...wish, session }));
    browserStorage.setItem(key, isOwn(wish) ? `${created.id} ${mark()}` : created.id);
    browserStorage.removeItem(earlier(wish));
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
  const [known, its] = stored(wish)?.split(' ') ?? [];
  const id = isOwn(wish) ? browserStorage.getItem(earlier(wish)) ?? (its && its === mark() && known) : known;
  const found = id && id !== last ? { id } : await create(wish, last);
  return { ...found, linkIsGone };
}
