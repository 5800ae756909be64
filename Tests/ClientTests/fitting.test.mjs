// The values of fields fit Swift's types without code in the view model.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitting } from '../../Sources/API/WebClient/Schemas/fitting.js';
import { entered } from '../../Sources/API/WebClient/Fields/entries.js';
import { inputExpression, sending } from '../../Sources/API/WebClient/Expressions/inputs.js';
import { held } from '../../Sources/API/WebClient/Fields/values.js';
import { conversions } from '../../Sources/API/WebClient/Schemas/conversions.js';
import { dateText, heldDate } from '../../Sources/API/WebClient/Expressions/dates.js';
import { field, optional } from './fields.mjs';

Object.assign(sending, { entered, fitting });

process.env.TZ = 'Asia/Seoul';
conversions.date = { held: heldDate, sent: dateText };

const date = { type: 'string', format: 'date-time' };
const text = { type: 'string' };
const integer = { type: 'integer', minimum: 0, maximum: 9 };
const decimal = { type: 'string', pattern: '^-?[0-9.]+$' };

test('a day, a month and a time are UTC, a date with a time is in the browser\'s time zone', () => {
  assert.equal(fitting('2026-11-24', date), '2026-11-24T00:00:00.000Z');
  assert.equal(fitting('2026-11', optional(date)), '2026-11-01T00:00:00.000Z');
  assert.equal(fitting('10:30', date), '1970-01-01T10:30:00.000Z');
  assert.equal(fitting('2026-11-24T10:30', date), '2026-11-24T01:30:00.000Z');
  assert.equal(fitting('2026-11-24T10:30:00.123456Z', date), '2026-11-24T10:30:00.123456Z');
});

test('a number may come from a text field, a select or a time field', () => {
  assert.equal(fitting('7', integer), 7);
  assert.equal(fitting('10:30', { type: 'number' }), 37_800);
  assert.equal(fitting(2.5, decimal), '2.5');
  assert.equal(fitting('seven', integer), 'seven');
});

test('a secret is a text, and may be empty', () => {
  assert.equal(fitting('', { type: 'string', format: 'password' }), '');
});

test('an empty field is nil if the member is optional, and else is not sent', () => {
  for (const empty of [NaN, '']) {
    for (const schema of [date, integer, decimal]) {
      assert.equal(fitting(empty, optional(schema)), null);
      assert.ok(Number.isNaN(fitting(empty, schema)));
    }
  }
  assert.equal(fitting('', optional({ anyOf: [{ const: 'red' }] })), null);
  assert.ok(Number.isNaN(fitting(NaN)));
});

test('a text stays as it is', () => {
  for (const value of ['', '7', '2026-11-24', '#ff0000']) {
    for (const schema of [text, optional(text), undefined]) assert.equal(fitting(value, schema), value);
  }
});

test('a text that stands for no Boolean stays as it is, whatever objects of JavaScript inherit', () => {
  for (const text of ['yes', ...Object.getOwnPropertyNames(Object.prototype)]) assert.equal(fitting(text, { type: 'boolean' }), text);
});

test('each member of an Input has the type that its schema asks for', () => {
  const day = (value) => field('date', { value });
  const input = inputExpression('plan(on: $value, title: $value)');
  const scope = { session: { state: {} } };
  assert.deepEqual(input(scope, day('2026-11-24'), { on: optional(date), title: text }), { plan: { on: '2026-11-24T00:00:00.000Z', title: '2026-11-24' } });
  assert.deepEqual(input(scope, day(''), { on: optional(date), title: text }), { plan: { on: null, title: '' } });
  assert.equal(input(scope, day(''), { on: date, title: text }), undefined);
});

test('a field shows the part of a date that its type can hold', () => {
  const shows = (type, value) => held({ type }, value);
  assert.equal(shows('date', '2026-11-24T00:00:00.000Z'), '2026-11-24');
  assert.equal(shows('month', '2026-11-01T00:00:00.000Z'), '2026-11');
  assert.equal(shows('time', '1970-01-01T10:30:00.000Z'), '10:30');
  assert.equal(shows('time', 37_805), '10:30:05');
  assert.equal(shows('datetime-local', '2026-11-24T01:30:00.000Z'), '2026-11-24T10:30');
  assert.equal(shows('date', '2026-11-24'), '2026-11-24');
  assert.equal(shows('date', null), '');
});
