// The service worker: it answers from the network whatever the cache does, and from the cache without a network.

import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';

/** What is cached, by address; whether there is a network; and the number of the cache's call that fails, and of those after it. */
let cached, isOnline, failing, isOnce, calls;
const copies = { number: 0 };

const call = (result) => async (...values) => {
  calls += 1;
  if (isOnce ? calls === failing : calls >= failing) throw new DOMException('full', 'QuotaExceededError');
  return result(...values);
};
const cache = {
  keys: call((key) => [...cached.keys()].filter((url) => url.split('?')[0] === key.split('?')[0]).map((url) => ({ url }))),
  match: call((key) => cached.get(key)),
  put: call((key, response) => { cached.set(key, response); }),
  delete: call(({ url }) => cached.delete(url)),
};
globalThis.caches = { open: call(() => cache) };
globalThis.fetch = async () => {
  if (!isOnline) throw new TypeError('no network');
  return new Response(`copy ${++copies.number}`);
};
let listener;
globalThis.addEventListener = (_, listen) => { listener = listen; };

const { serveOffline } = await import('../../Sources/API/WebClient/Service/offline.js');
serveOffline();
const base = new URL('../../Sources/API/WebClient/Service/', import.meta.url).href;

/** Resolves to the text that the worker answers with. */
async function load(url, mode = 'no-cors') {
  let answer;
  listener({ request: { url, mode, method: 'GET', destination: 'style' }, respondWith: (promise) => { answer = promise; } });
  return (await answer).text();
}

beforeEach(() => {
  [cached, isOnline, failing, isOnce, calls] = [new Map(), true, Infinity, false, 0];
});

for (const once of [true, false]) {
  test(`with a network a file loads though a call of the cache fails${once ? '' : ', and all after it'}`, async () => {
    failing = 0;
    do {
      [calls, isOnce, cached] = [0, once, new Map([[`${base}style.css?v=1`, new Response('old')]])];
      failing += 1;
      assert.equal(await load(`${base}style.css?v=2`), `copy ${copies.number}`, `call ${failing}`);
    } while (calls >= failing);
    assert.ok(failing > 4);
  });
}

test('a file that cannot be stored leaves the older copy', async () => {
  await load(`${base}page.html?session=1`, 'navigate');
  [calls, failing] = [0, 2];
  await load(`${base}page.html?session=2`, 'navigate');
  [failing, isOnline] = [Infinity, false];
  assert.equal(await load(`${base}page.html`, 'navigate'), `copy ${copies.number - 1}`);
});

test('without a network and with a cache that fails, the page learns of the network', async () => {
  [failing, isOnline] = [1, false];
  await assert.rejects(load(`${base}style.css`), { message: 'no network' });
});
