// Inputs as Swift writes them, and the JSON that the service reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitting } from '../../Sources/API/WebClient/Schemas/fitting.js';
import { entered } from '../../Sources/API/WebClient/Fields/entries.js';
import { inputExpression, sending } from '../../Sources/API/WebClient/Expressions/inputs.js';
import { field } from './fields.mjs';

Object.assign(sending, { entered, fitting });

const session = { state: { count: 5, frame: { width: 1 } } };
const page = { session, depth: 0, place: '' };
const row = { session, parent: page, row: { id: '7' }, index: 0 };

const sends = (source, control) => inputExpression(source)(row, control);

test('a case without values is its name', () => {
  assert.equal(sends('increase'), 'increase');
  assert.equal(sends('increase()'), 'increase');
});

test('a single value needs no label', () => {
  assert.deepEqual(sends('setDuration(10)'), { setDuration: 10 });
  assert.deepEqual(sends("setFilter('all')"), { setFilter: 'all' });
  assert.deepEqual(sends('setCount(count)'), { setCount: 5 });
  assert.deepEqual(sends('choose(nothing)'), { choose: null });
});

test('a single object is labelled _0, as it would be taken for labelled values', () => assert.deepEqual(sends('use(frame)'), { use: { _0: { width: 1 } } }));

test('an Input and its labels may have any name', () => {
  for (const name of Object.getOwnPropertyNames(Object.prototype)) {
    assert.equal(JSON.stringify(sends(`${name}(${name}: 1, to: '')`)), `{"${name}":{"${name}":1,"to":""}}`);
    assert.equal(inputExpression('add(title: $title)').fields[name], undefined);
    assert.deepEqual(inputExpression(`add(${name}: '')`)(row, undefined, {}), { add: JSON.parse(`{"${name}":""}`) });
  }
});

test('labelled values are members', () => assert.deepEqual(sends("rename(id: .id, title: 'milk')"), { rename: { id: '7', title: 'milk' } }));

test('several values without labels are numbered', () => assert.deepEqual(sends('move(.id, 3)'), { move: { _0: '7', _1: 3 } }));

test('values with and without labels may be mixed', () => assert.deepEqual(sends('move(.id, to: 3)'), { move: { _0: '7', to: 3 } }));

test('an argument is a whole expression', () => {
  assert.deepEqual(sends("add(title: .title or 'untitled', isBig: count is 5)"), { add: { title: 'untitled', isBig: true } });
  assert.deepEqual(sends('name(.id | or nobody, (count))'), { name: { _0: '7', _1: 5 } });
});

test('$value is the control\'s value', () => {
  assert.deepEqual(sends('search($value)', field('text', { value: 'ch' })), { search: 'ch' });
  assert.deepEqual(sends('set($value)', field('checkbox', { checked: true })), { set: true });
  assert.deepEqual(sends('set($value)', field('number', { value: '4' })), { set: 4 });
  assert.deepEqual(sends('set($value)', field('text', { value: '4', dataset: { type: 'number' } })), { set: 4 });
});

test('an Input is not sent while a number field has no number', () => {
  assert.equal(sends('set($value)', field('number')), undefined);
});

test('a refusal names a label, or the case if there is none', () => {
  assert.equal(inputExpression('rename(id: .id, title: $newTitle)').fields.title, 'newTitle');
  assert.equal(inputExpression('search($query)').fields.search, 'query');
});

test('an invalid Input throws an error that says why', () => {
  for (const source of ['', 'add(', 'add(title: )', 'add(1) 2', '3', '$value', 'a.b']) assert.throws(() => inputExpression(source), Error, source);
});
