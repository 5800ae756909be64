// From one State to the next: the results of patches, and the parts that stay the same objects.

import assert from 'node:assert/strict';
import test from 'node:test';
import { merged, patched } from '../../Sources/API/WebClient/Session/patch.js';

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

test('a patch with an empty path replaces the whole State', () => {
  assert.deepEqual(patched({ a: 1 }, [{ op: 'replace', path: '', value: [1] }]), [1]);
});

test('~0 and ~1 in a path stand for ~ and / (RFC 6901)', () => {
  assert.deepEqual(patched({ 'a/b': 1, '~1': 2 }, [
    { op: 'replace', path: '/a~1b', value: 3 },
    { op: 'remove', path: '/~01' },
  ]), { 'a/b': 3 });
});

test('__proto__ is a member like any other', () => {
  const state = JSON.parse('{"names":{"__proto__":1}}');
  const next = patched(state, [{ op: 'replace', path: '/names/__proto__', value: 2 }]);
  assert.deepEqual(JSON.stringify(next), '{"names":{"__proto__":2}}');
  assert.equal({}.polluted, undefined);
});

test('a patch leads through own members alone', () => {
  for (const name of Object.getOwnPropertyNames(Object.prototype)) {
    const operations = [{ op: 'add', path: `/${name}/polluted`, value: 1 }];
    assert.throws(() => patched({}, operations), TypeError, name);
    const state = JSON.parse(`{"${name}":{"a":1}}`);
    assert.equal(JSON.stringify(patched(state, operations)), `{"${name}":{"a":1,"polluted":1}}`);
    assert.equal(JSON.stringify(patched({}, [{ op: 'add', path: `/${name}`, value: 2 }])), `{"${name}":2}`);
    assert.equal({}.polluted, undefined);
  }
});

for (const [what, operation] of [
  ['the replaced member is missing', { op: 'replace', path: '/b', value: 1 }],
  ['the removed element is missing', { op: 'remove', path: '/rows/5' }],
  ['the path leads through a text', { op: 'add', path: '/text/a', value: 1 }],
]) {
  test(`a patch does not fit if ${what}`, () => {
    assert.throws(() => patched({ rows: [], text: 'a' }, [operation]), TypeError);
  });
}

test('a whole State shares equal parts with the one before', () => {
  const old = { rows: [{ id: 1 }, { id: 2 }], frame: { width: 1 }, query: '' };
  const next = merged(old, { rows: [{ id: 1 }, { id: 3 }], frame: { width: 1 }, query: 'a' });
  assert.equal(next.rows[0], old.rows[0]);
  assert.equal(next.frame, old.frame);
  assert.deepEqual(next.rows[1], { id: 3 });
  assert.equal(merged(old, structuredClone(old)), old);
});

test('a State that lost a member is a new object', () => {
  const next = merged({ a: 1, b: 2 }, { a: 1 });
  assert.deepEqual(next, { a: 1 });
});

test('an array that became shorter is a new object', () => {
  assert.deepEqual(merged([1, 2], [1]), [1]);
});
