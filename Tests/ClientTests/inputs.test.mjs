// Inputs as Swift writes them, and the JSON that the service reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputExpression } from '../../Sources/API/WebClient/Bindings/inputs.js';

const session = { state: { count: 5, frame: { width: 1 } } };
const page = { session, depth: 0, place: '' };
const row = { session, parent: page, row: { id: '7' }, index: 0 };
const field = (properties) => ({ type: 'text', dataset: {}, ...properties });

const sends = (source, control) => inputExpression(source)(row, control);

test('a case without values', () => {
  assert.equal(sends('increase'), 'increase');
  assert.equal(sends('increase()'), 'increase');
});

test('a value alone stands for itself', () => {
  assert.deepEqual(sends('setDuration(10)'), { setDuration: 10 });
  assert.deepEqual(sends("setFilter('all')"), { setFilter: 'all' });
  assert.deepEqual(sends('setCount(count)'), { setCount: 5 });
  assert.deepEqual(sends('choose(nothing)'), { choose: null });
});

test('but an object would be taken for labelled values', () => assert.deepEqual(sends('use(frame)'), { use: { _0: { width: 1 } } }));

test('labelled values', () => assert.deepEqual(sends("rename(id: .id, title: 'milk')"), { rename: { id: '7', title: 'milk' } }));

test('several values without labels', () => assert.deepEqual(sends('move(.id, 3)'), { move: { _0: '7', _1: 3 } }));

test('both', () => assert.deepEqual(sends('move(.id, to: 3)'), { move: { _0: '7', to: 3 } }));

test('an argument is a whole expression', () => {
  assert.deepEqual(sends("add(title: .title or 'untitled', isBig: count is 5)"), { add: { title: 'untitled', isBig: true } });
  assert.deepEqual(sends('name(.id | or nobody, (count))'), { name: { _0: '7', _1: 5 } });
});

test('$value is what the control holds', () => {
  assert.deepEqual(sends('search($value)', field({ value: 'ch' })), { search: 'ch' });
  assert.deepEqual(sends('set($value)', field({ type: 'checkbox', checked: true })), { set: true });
  assert.deepEqual(sends('set($value)', field({ type: 'number', value: '4' })), { set: 4 });
  assert.deepEqual(sends('set($value)', field({ value: '4', dataset: { type: 'number' } })), { set: 4 });
});

test('nothing is sent while a number field holds no number', () => {
  assert.equal(sends('set($value)', field({ type: 'number', value: '' })), undefined);
});

test('a refusal names a label, or the case where there is none', () => {
  assert.equal(inputExpression('rename(id: .id, title: $newTitle)').fields.title, 'newTitle');
  assert.equal(inputExpression('search($query)').fields.search, 'query');
});

test('what is no Input says so', () => {
  for (const source of ['', 'add(', 'add(title: )', 'add(1) 2', '3', '$value', 'a.b']) assert.throws(() => inputExpression(source), Error, source);
});
