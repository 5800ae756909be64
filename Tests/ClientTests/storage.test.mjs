// The browser's storage, each call of which may fail: what it does not take lasts as long as the page, and nothing old comes back.

import assert from 'node:assert/strict';
import test from 'node:test';
import { storage } from '../../Sources/API/WebClient/Service/storage.js';

/** A browser's storage, of which calls fail as `fails(call, count)` says. */
function browser(fails) {
  const its = {};
  let count = 0;
  const call = (name, act) => (...values) => {
    if (fails(name, ++count)) throw new DOMException('full', 'QuotaExceededError');
    return act(...values);
  };
  const found = {
    getItem: call('getItem', (key) => its[key] ?? null),
    setItem: call('setItem', (key, text) => { its[key] = String(text); }),
    removeItem: call('removeItem', (key) => { delete its[key]; }),
  };
  const find = () => new Proxy(its, { get: (_, name) => found[name] });
  return { its, page: () => storage(find) };
}

function use(page) {
  page.setItem('a', 1);
  page.setItem('a', 'two');
  page.setItem('b', 'three');
  page.removeItem('b');
  page.setItem('c', 'four');
  return ['a', 'b', 'c'].map((key) => page.getItem(key));
}

test('a page reads what it has written, whichever call fails', () => {
  for (let failing = 1; failing < 12; failing++) {
    for (const fails of [(_, count) => count === failing, (_, count) => count >= failing]) {
      const { page } = browser((name, count) => name !== 'getItem' && fails(name, count));
      assert.deepEqual(use(page()), ['two', null, 'four']);
    }
  }
});

test('a page without a storage has one of its own', () => {
  for (const find of [() => { throw new DOMException('denied', 'SecurityError'); }, () => null, () => undefined]) {
    const page = storage(find);
    assert.deepEqual(use(page), ['two', null, 'four']);
    assert.deepEqual(page.keys(), ['a', 'c']);
    assert.equal(page.isWhole(), false);
  }
});

test('when a newer text finds no room, the next page does not read the older one', () => {
  let isFull = false;
  const { its, page } = browser((name) => isFull && name === 'setItem');
  const first = page();
  first.setItem('a', 'old');
  isFull = true;
  first.setItem('a', 'new');
  assert.equal(first.getItem('a'), 'new');
  assert.deepEqual([page().getItem('a'), its], [null, {}]);
  isFull = false;
  first.setItem('a', 'newer');
  assert.deepEqual([page().getItem('a'), first.isWhole()], ['newer', true]);
});
