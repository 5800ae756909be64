// Numbers that are texts, such as a `Decimal`, are compared, tested and sorted as numbers, to the last digit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readings } from '../../Sources/API/WebClient/Expressions/scopes.js';
import { expression } from '../../Sources/API/WebClient/Expressions/expressions.js';
import { formats, formatted } from '../../Sources/API/WebClient/Expressions/formats.js';
import { inputsOf } from '../../Sources/API/WebClient/Schemas/known.js';
import { learnInputs } from '../../Sources/API/WebClient/Schemas/learning.js';
import { localized } from '../../Sources/API/WebClient/Expressions/localized.js';
import { moreReadings } from '../../Sources/API/WebClient/More/readings.js';
import { sorted } from '../../Sources/API/WebClient/Lists/sorting.js';
import { random } from './fields.mjs';

Object.assign(formats, localized);
readings.push(...moreReadings);
const gives = (source, state) => expression(source)({ session: { state } });
const next = random(11);

/** Returns a `Decimal` as the service writes it, and its value times 10^20. */
function decimal() {
  const scaled = BigInt(Math.floor(next() * 5)) * 10n ** BigInt(Math.floor(next() * 39)) + BigInt(Math.floor(next() * 3));
  const value = next() < 0.5 ? -scaled : scaled;
  const digits = String(scaled).padStart(21, '0');
  const text = `${digits.slice(0, -20)}.${digits.slice(-20)}`.replace(/\.?0+$/, '');
  return { text: value < 0n ? `-${text}` : text, value };
}

test('are compared as numbers', () => {
  for (let count = 0; count < 3000; count++) {
    const [one, other] = [decimal(), next() < 0.1 ? { text: '0', value: 0n } : decimal()];
    const state = { one: one.text, other: other.text };
    assert.equal(gives('one < other', state), one.value < other.value, JSON.stringify(state));
    assert.equal(gives('one >= other', state), one.value >= other.value, JSON.stringify(state));
    assert.equal(gives('one is (other)', state), one.value === other.value, JSON.stringify(state));
  }
});

test('are equal to a number, and elements of an array', () => {
  assert.equal(gives('price is 2.5', { price: '2.5' }), true);
  assert.equal(gives('price is not 0', { price: '0' }), false);
  assert.equal(gives('price > 9', { price: '10.5' }), true);
  assert.equal(gives('price < 9', { price: '-10' }), true);
  assert.equal(gives('prices has 0.1', { prices: ['0.1', '3'] }), true);
  assert.equal(gives('price > 9', {}), false);
});

test('texts that only look like numbers stay texts', () => {
  assert.equal(gives("code is '007'", { code: '7' }), false);
  assert.equal(gives('code is 7', { code: '007' }), false);
  assert.equal(gives("one < 'b'", { one: 'a' }), true);
  assert.equal(gives("one < '10.1'", { one: 'v9' }), false);
});

test('are sorted as numbers, among numbers and nothing', () => {
  for (let count = 0; count < 100; count++) {
    const rows = Array.from({ length: 20 }, () => ({ ...decimal(), id: next() }));
    const values = sorted(rows.map(({ text, value }) => ({ price: text, value })), 'price').map(({ value }) => value);
    assert.deepEqual(values, values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
  }
  const order = (list, by = 'it') => sorted(list.map((it) => ({ it })), by).map(({ it }) => it);
  assert.deepEqual(order(['10', '-2', '9.5', '-10', 3]), ['-10', '-2', 3, '9.5', '10']);
  assert.deepEqual(order(['10', '-2', '9.5'], '-it'), ['10', '9.5', '-2']);
  assert.deepEqual(order(['1.10', '1.9', '1.10.1']), ['1.9', '1.10', '1.10.1']);
});

test('an amount in cents may be a text', () => {
  const shown = (value) => formatted('currency', value, ['EUR', 'cents']);
  assert.equal(shown('690'), shown(690));
});

test('that are 0 count as false, unlike the text 0, wherever State has them', async (context) => {
  const decimal = { type: 'string', pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$' };
  const text = { type: 'string' };
  const item = { properties: { price: decimal, name: text, tags: { items: decimal }, by: { additionalProperties: decimal } } };
  const schema = {
    properties: {
      price: decimal, name: text, maybe: { anyOf: [decimal, { type: 'null' }] }, pulsed: { properties: { value: decimal, pulse: {} } },
      cart: { $ref: '#/$defs/Cart' }, step: { anyOf: [{ const: 'idle' }, { properties: { paid: decimal } }, { properties: { told: text } }] },
    },
    $defs: { Cart: { properties: { items: { items: { $ref: '#/$defs/Item' } } } }, Item: item },
  };
  const row = { price: '0', name: '0', tags: ['0'], by: { a: '0' } };
  const session = {
    viewModel: 'shop', connection: 'live', addEventListener() {},
    state: { price: '0', name: '0', maybe: '0', pulsed: { value: '0', pulse: 2 }, cart: { items: [row] }, step: { paid: '0' } },
  };
  context.mock.method(globalThis, 'fetch', () => Promise.resolve(Response.json({ inputs: [], state: { schema } })));
  learnInputs(session);
  while (!inputsOf(session)) await new Promise((resolve) => { setTimeout(resolve); });
  const page = { session, depth: 0 };
  const inRow = { session, parent: page, row, index: 0, list: { up: 0, path: 'cart.items' } };
  const inTag = { session, parent: inRow, row: '0', index: 0, list: { up: 1, path: 'tags' } };
  const inMember = { session, parent: inRow, row: { key: 'a', value: '0' }, index: 0, list: { up: 1, path: 'by' } };
  const isYes = (source, scope) => expression(`not not ${source}`)(scope);
  for (const [source, scope] of [
    ['price', page], ['maybe', page], ['pulsed', page], ['cart.items.0.price', page], ['step.paid', page], ['.price', inRow], ['.', inTag], ['..price', inTag], ['.value', inMember],
  ]) assert.equal(isYes(source, scope), false, source);
  for (const [source, scope] of [['name', page], ['.name', inRow], ['cart.items.0.name', page], ['..name', inTag], ['.key', inMember]]) assert.equal(isYes(source, scope), true, source);
  session.state.step = { told: '0' };
  assert.equal(isYes('step.told', page), true);
});
