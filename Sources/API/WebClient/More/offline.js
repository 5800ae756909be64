// Pages without a network: this module is a service worker, too, which keeps what pages consist of.

import { own } from '../Core/prefix.js';

const isFragment = (url) => /\.html(\?|$)/.test(url); // data-include's
const kinds = ['style', 'script', 'image', 'font', 'manifest'];
const base = new URL('.', import.meta.url).href;
const open = () => caches.open('uifusion');

/** A page is the same whatever session its address names; of a file, another query is another one, but another try is none. */
const keyOf = ({ url, mode }) => url.split(mode === 'navigate' ? /[?#]/ : /[&?]again=|#/)[0];

/** In place of what was kept of that file; some pages name it with its version, others without. */
async function keepFile(cache, key, response) {
  for (const old of await cache.keys(key, { ignoreSearch: true })) {
    if (old.url.includes('?') === key.includes('?')) await cache.delete(old);
  }
  await cache.put(key, response);
}

/** In the worker: the network answers, and where it does not, what it answered before. Sessions are no concern of it. */
export function serveOffline() {
  addEventListener('fetch', (event) => {
    const { request } = event;
    const isFile = request.mode === 'navigate' || kinds.includes(request.destination) || isFragment(request.url);
    if (request.method === 'GET' && isFile && request.url.startsWith(base)) event.respondWith(answer(event));
  });
}

async function answer({ request }) {
  const cache = await open();
  try {
    const response = await fetch(request);
    // A page that holds a session's State is kept nowhere.
    if (response.ok && !response.headers.get('Cache-Control')?.includes('no-store')) await keepFile(cache, keyOf(request), response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(keyOf(request));
    if (kept) return kept;
    throw error;
  }
}

/** In a page: begins, and keeps what was loaded before there was a worker. */
export async function workOffline() {
  const { serviceWorker } = navigator;
  if (own(document.documentElement).offline === 'off') return (await serviceWorker?.getRegistration())?.unregister();
  const worker = await serviceWorker?.register(`${base}uifusion-more.js`, { type: 'module', scope: base });
  if (!worker || serviceWorker.controller) return undefined;
  const loaded = performance.getEntriesByType('resource').filter(({ initiatorType, name }) =>
    /^(link|script|img|css|other)$/.test(initiatorType) || isFragment(name));
  const cache = await open();
  for (const request of [{ url: location.href, mode: 'navigate' }, ...loaded.map(({ name }) => ({ url: name }))]) {
    if (request.url.startsWith(base)) await cache.add(keyOf(request));
  }
}
