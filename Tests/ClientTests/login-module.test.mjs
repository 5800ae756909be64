// The login's module, which may not come: a browser may remember that an address has failed.

import assert from 'node:assert/strict';
import test from 'node:test';

globalThis.document = { documentElement: { dataset: {} } };
globalThis.window = { sessionStorage: new Map(), localStorage: new Map() };
globalThis.addEventListener = () => {};

/** The addresses at which the module was looked for; there is none at any. */
const addresses = [];
globalThis.URL = class extends URL {
  constructor(path, base) {
    super(path, base);
    if (String(path).startsWith('uifusion-login.js')) addresses.push(this.search);
  }
};

const { renew } = await import('../../Sources/API/WebClient/Notices/login.js');
const { Refusal } = await import('../../Sources/API/WebClient/Service/request.js');

test('those who need the module at once share an attempt, and each attempt has an address of its own', async () => {
  for (const attempts of [1, 2, 3]) {
    const [one, other] = [renew({}, 1), renew({}, 1)];
    await assert.rejects(one, Refusal);
    await assert.rejects(other, Refusal);
    assert.equal(addresses.length, attempts);
  }
  assert.equal(new Set(addresses).size, 3);
});
