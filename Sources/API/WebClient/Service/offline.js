// Pages without a network: this module is also a service worker, which caches the files of pages. The cache may fail at each call.
// The worker's part uses no other module, as the worker does not have the first one's symbols.

import { own } from '../Page/prefix.js';

const isFragment = (url) => /\.html(\?|$)/.test(url); // of data-include
const kinds = /style|script|image|font|manifest/;
const base = new URL('.', import.meta.url).href;
const open = () => caches.open('uifusion');

/** Returns the key in the cache: without the query for a page, as that may name a session; without `again` for a file. */
const keyOf = ({ url, mode }) => url.split(mode === 'navigate' ? /[?#]/ : /[&?]again=|#/)[0];

/** Replaces a cached file, if there is room; some pages name the file with its version, others without. */
async function keepFile(key, response) {
  const cache = await open();
  await cache.put(key, response);
  for (const old of await cache.keys(key, { ignoreSearch: true })) {
    if (old.url !== key && old.url.includes('?') === key.includes('?')) await cache.delete(old);
  }
}

/** In the worker: answers from the network, else from the cache. Leaves requests for sessions alone. */
export function serveOffline() {
  addEventListener('fetch', (event) => {
    const { request } = event;
    const isFile = request.mode === 'navigate' || kinds.test(request.destination) || isFragment(request.url);
    if (request.method === 'GET' && isFile && request.url.startsWith(base)) event.respondWith(answer(event));
  });
}

const find = async (key) => (await open()).match(key);

async function answer({ request }) {
  try {
    const response = await fetch(request);
    // A page that contains a session's State is not cached.
    if (response.ok && !response.headers.get('Cache-Control')?.includes('no-store')) {
      await keepFile(keyOf(request), response.clone()).catch(() => {});
    }
    return response;
  } catch (error) {
    const kept = await find(keyOf(request)).catch(() => {});
    if (kept) return kept;
    throw error;
  }
}

/** In a page: registers the worker, and caches what was loaded before. */
export async function workOffline() {
  const { serviceWorker } = navigator;
  if (own(document.documentElement).offline === 'off') return (await serviceWorker?.getRegistration())?.unregister();
  const worker = await serviceWorker?.register(`${base}uifusion-more.js`, { type: 'module', scope: base });
  if (!worker || serviceWorker.controller) return undefined;
  const loaded = performance.getEntriesByType('resource').filter(({ initiatorType, name }) =>
    /link|script|img|css|other/.test(initiatorType) || isFragment(name));
  const cache = await open();
  for (const request of [{ url: location.href, mode: 'navigate' }, ...loaded.map(({ name }) => ({ url: name }))]) {
    if (request.url.startsWith(base)) await cache.add(keyOf(request)).catch(() => {});
  }
}
