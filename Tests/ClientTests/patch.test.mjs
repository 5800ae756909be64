// From one State to the next: what a patch makes, and what stays the same object.

import assert from 'node:assert/strict';
import test from 'node:test';
import { merged, patched } from '../../Sources/API/WebClient/Core/patch.js';

const freeze = (value) => {
  if (value && typeof value === 'object') Object.values(value).forEach(freeze);
  return Object.freeze(value);
};

test('a patch adds, removes and replaces, in order', () => {
  const state = freeze({ rows: [{ id: 1 }, { id: 2 }], query: '' });
  const next = patched(state, [
    { op: 'add', path: '/rows/1', value: { id: 3 } },
    { op: 'remove', path: '/rows/0' },
    { op: 'add', path: '/rows/-', value: { id: 4 } },
    { op: 'replace', path: '/query', value: 'ch' },
    { op: 'add', path: '/isOpen', value: true },
  ]);
  assert.deepEqual(next, { rows: [{ id: 3 }, { id: 2 }, { id: 4 }], query: 'ch', isOpen: true });
  assert.deepEqual(state, { rows: [{ id: 1 }, { id: 2 }], query: '' });
});

test('a row that a patch does not touch stays the same object', () => {
  const state = freeze({ rows: [{ id: 1, title: 'a' }, { id: 2, title: 'b' }], frame: { width: 1 } });
  const next = patched(state, [{ op: 'replace', path: '/rows/1/title', value: 'c' }]);
  assert.equal(next.rows[0], state.rows[0]);
  assert.equal(next.frame, state.frame);
  assert.notEqual(next.rows[1], state.rows[1]);
});

test('a patch of the whole replaces it', () => {
  assert.deepEqual(patched({ a: 1 }, [{ op: 'replace', path: '', value: [1] }]), [1]);
});

test('names are read as RFC 6901 writes them', () => {
  assert.deepEqual(patched({ 'a/b': 1, '~1': 2 }, [
    { op: 'replace', path: '/a~1b', value: 3 },
    { op: 'remove', path: '/~01' },
  ]), { 'a/b': 3 });
});

test('a member called __proto__ is a member', () => {
  const state = JSON.parse('{"names":{"__proto__":1}}');
  const next = patched(state, [{ op: 'replace', path: '/names/__proto__', value: 2 }]);
  assert.deepEqual(JSON.stringify(next), '{"names":{"__proto__":2}}');
  assert.equal({}.polluted, undefined);
});

for (const [what, operation] of [
  ['the place is not there', { op: 'replace', path: '/b', value: 1 }],
  ['what is removed is not there', { op: 'remove', path: '/rows/5' }],
  ['the way leads through a text', { op: 'add', path: '/text/a', value: 1 }],
]) {
  test(`a patch does not fit where ${what}`, () => {
    assert.throws(() => patched({ rows: [], text: 'a' }, [operation]), TypeError);
  });
}

test('a whole State shares with the one before what is equal', () => {
  const old = { rows: [{ id: 1 }, { id: 2 }], frame: { width: 1 }, query: '' };
  const next = merged(old, { rows: [{ id: 1 }, { id: 3 }], frame: { width: 1 }, query: 'a' });
  assert.equal(next.rows[0], old.rows[0]);
  assert.equal(next.frame, old.frame);
  assert.deepEqual(next.rows[1], { id: 3 });
  assert.equal(merged(old, structuredClone(old)), old);
});

test('a State that lost a member is another one', () => {
  const next = merged({ a: 1, b: 2 }, { a: 1 });
  assert.deepEqual(next, { a: 1 });
});

test('an array that became shorter is another one', () => {
  assert.deepEqual(merged([1, 2], [1]), [1]);
});
