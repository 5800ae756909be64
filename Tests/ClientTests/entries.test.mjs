// What fields show and send, for each of Swift's types: the schema decides, whatever the field.

import assert from 'node:assert/strict';
import { happening } from '../../Sources/API/WebClient/Expressions/happening.js';
import { test } from 'node:test';
import { fitting } from '../../Sources/API/WebClient/Schemas/fitting.js';
import { entered } from '../../Sources/API/WebClient/Fields/entries.js';
import { inputExpression, sending } from '../../Sources/API/WebClient/Expressions/inputs.js';
import { showValue } from '../../Sources/API/WebClient/Fields/values.js';
import { field, formOf, optional, random } from './fields.mjs';

Object.assign(sending, { entered, fitting });

globalThis.document = { documentElement: { dataset: {} } };
const scope = { session: { state: {} } };
const sent = (control, name, schema) => {
  const input = inputExpression(`set(it: $${name})`)(scope, control, { it: schema });
  return input === undefined ? 'nothing' : input.set.it;
};

const boolean = { type: 'boolean' };
const integer = { type: 'integer', minimum: -9, maximum: 99 };
const double = { type: 'number' };
const text = { type: 'string' };
const decimal = { type: 'string', pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$' };
const day = { type: 'string', format: 'date' };
const named = { enum: ['small', 'large', ''] };
const numbered = { enum: [1, 2, 30] };
const cases = { $ref: '#/$defs/Size' };

/** A type's schema, and texts of choices with the values that they stand for. */
const types = [
  [boolean, ['true', true], ['false', false]],
  [integer, ['3', 3], ['-7', -7], ['0', 0]],
  [double, ['0.1', 0.1], ['2.50', 2.5], ['1e3', 1000]],
  [text, ['true', 'true'], ['3', '3'], ['', '']],
  [decimal, ['2.5', '2.5'], ['0', '0'], ['-12345678901234567890.5', '-12345678901234567890.5']],
  [day, ['2026-03-01', '2026-03-01'], ['0001-12-31', '0001-12-31']],
  [named, ['small', 'small'], ['', ''], ['large', 'large']],
  [numbered, ['30', 30], ['1', 1]],
  [cases, ['small', 'small'], ['extraLarge', 'extraLarge']],
];

test('each kind of choice shows and sends a value of each type', () => {
  for (const [schema, ...choices] of types) {
    const texts = choices.map(([text]) => text);
    for (const [text, value] of choices) {
      for (const its of [schema, optional(schema), optional(optional(schema))]) {
        const select = field('select-one', { options: texts });
        const radios = texts.map((value) => field('radio', { value, attributes: { value } }));
        const hidden = field('hidden');
        for (const one of [select, ...radios, hidden]) showValue(one, value);
        const ticked = radios.filter(({ checked }) => checked).map(({ value }) => value);
        assert.deepEqual([select.value, ticked], [text, [text]], JSON.stringify([its, value]));
        const form = formOf({ select, radio: radios, hidden });
        for (const name of ['select', 'radio', 'hidden']) assert.deepEqual(sent(form, name, its), value, `${name} ${JSON.stringify(its)} ${text}`);
      }
    }
  }
});

test('a checkbox is a Boolean, or stands for its value', () => {
  for (const checked of [true, false]) {
    const box = field('checkbox', { value: 'on', checked });
    for (const schema of [boolean, optional(boolean), undefined, {}]) assert.equal(sent(box, 'value', schema), checked);
    showValue(box, !checked);
    assert.equal(box.checked, !checked);
  }
  const box = field('checkbox', { value: '3', checked: true, attributes: { value: '3' } });
  assert.equal(sent(box, 'value', integer), 3);
  assert.equal(sent(box, 'value', boolean), true);
  box.checked = false;
  assert.equal(sent(box, 'value', integer), 'nothing');
  assert.equal(sent(box, 'value', optional(integer)), null);
  assert.equal(box.message, '');
  for (const [value, isTicked] of [[3, true], [4, false], [null, false], [true, true], [[1, 3], true], [[], false]]) {
    showValue(box, value);
    assert.equal(box.checked, isTicked, JSON.stringify(value));
  }
});

test('a multiple select, and checkboxes with one name, even a single one, are an array or a set', () => {
  for (const [schema, ...choices] of types) {
    const texts = choices.map(([text]) => text);
    for (let bits = 0; bits < 1 << choices.length; bits++) {
      const values = choices.filter((_, index) => bits >> index & 1).map(([, value]) => value);
      const select = field('select-multiple', { options: texts });
      const boxes = texts.map((value) => field('checkbox', { value, attributes: { value } }));
      for (const one of [select, ...boxes]) showValue(one, values);
      const form = formOf({ select });
      const list = { type: 'array', items: schema };
      assert.deepEqual(sent(form, 'select', list), values);
      assert.deepEqual(sent(formOf({ box: boxes }), 'box', optional(list)), values);
      assert.deepEqual(sent(boxes[0], 'value', list), values);
      const only = values.filter((value) => value === choices[0][1]);
      showValue(boxes[0], only);
      assert.deepEqual(sent(formOf({ only: boxes[0] }), 'only', list), only);
    }
  }
});

test('choices that the user has not changed stay as State has them, in its order, with what has no choice', () => {
  const list = { type: 'array', items: { enum: ['a', 'b', 'c', 'd'] } };
  for (const values of [['b', 'a'], ['a', 'a'], ['d'], ['c', 'd', 'b'], []]) {
    const boxes = ['a', 'b', 'c'].map((value) => field('checkbox', { value, attributes: { value } }));
    const select = field('select-multiple', { options: ['a', 'b', 'c'] });
    for (const one of [select, ...boxes]) showValue(one, values);
    assert.deepEqual(sent(formOf({ select }), 'select', list), values);
    assert.deepEqual(sent(formOf({ box: boxes }), 'box', list), values);
    boxes[1].checked = !boxes[1].checked;
    select.options[1].selected = !select.options[1].selected;
    const changed = ['a', 'b', 'c'].filter((one) => (one === 'b') !== values.includes(one));
    assert.deepEqual(sent(formOf({ select }), 'select', list), changed);
    assert.deepEqual(sent(formOf({ box: boxes }), 'box', list), changed);
  }
});

test('an optional text that is nil stays nil in a field that the user has not changed', () => {
  const [text, string] = [field('text'), { type: 'string' }];
  showValue(text, null);
  assert.equal(sent(formOf({ text }), 'text', optional(string)), null);
  assert.equal(sent(formOf({ text }), 'text', string), '');
  text.value = 'a';
  assert.equal(sent(formOf({ text }), 'text', optional(string)), 'a');
  showValue(text, '');
  assert.equal(sent(formOf({ text }), 'text', optional(string)), '');
});

test('without a choice nothing is sent, unless the member is optional, or a text', () => {
  for (const [schema] of types) {
    const none = { select: field('select-one', { options: [] }), radio: [field('radio', { value: 'a', attributes: { value: 'a' } })], off: field('text', { value: '7', attributes: { disabled: true } }) };
    for (const name of Object.keys(none)) {
      const isText = schema === text || schema === named;
      assert.equal(sent(formOf(none), name, schema), isText ? '' : 'nothing', `${name} ${JSON.stringify(schema)}`);
      assert.equal(sent(formOf(none), name, optional(schema)), null);
    }
  }
});

test('a field comes before what is built in, even one that does not count', () => {
  scope.session.id = 'secret';
  for (const name of ['id', 'value', 'version', 'connection']) {
    const its = { [name]: field('text', { value: '7' }) };
    assert.equal(sent(formOf(its), name, integer), 7);
    its[name].matches = (selector) => selector === ':disabled';
    assert.equal(sent(formOf(its), name, integer), 'nothing');
    assert.equal(sent(formOf(its), name, optional(text)), null);
  }
  assert.equal(sent(formOf({ title: field('text') }), '.id', text), 'secret');
});

test('of a form\'s buttons the one that submits counts', () => {
  const buttons = [['save', '1'], ['remove', '2']].map(([label, value]) => field('submit', { label, value, attributes: { value } }));
  const form = formOf({ step: buttons, title: field('text', { value: 'milk' }) });
  for (const [submitter, value] of [[buttons[0], 1], [buttons[1], 2], [undefined, null]]) {
    happening.event = { submitter };
    assert.equal(sent(form, 'step', optional(integer)), value);
    assert.equal(sent(form, 'title', text), 'milk');
  }
  happening.event = { submitter: field('submit') };
  assert.equal(sent(form, 'step', integer), 'nothing');
  happening.event = undefined;
});

test('a hidden field before a checkbox of its name is what an unticked one sends', () => {
  const [hidden, box] = [field('hidden', { value: '0' }), field('checkbox', { value: '5', attributes: { value: '5' } })];
  assert.equal(sent(formOf({ size: [hidden, box] }), 'size', integer), 0);
  box.checked = true;
  assert.equal(sent(formOf({ size: [hidden, box] }), 'size', integer), 5);
});

test('what is no number is a mistake that the field tells, and sends nothing', () => {
  for (const schema of [integer, double, decimal, optional(integer), optional(decimal)]) {
    for (const value of ['1,5', 'seven', '1 000', '−3', '0x', '1e']) {
      const one = field('text', { value });
      assert.equal(sent(one, 'value', schema), 'nothing', value);
      assert.notEqual(one.message, '');
    }
  }
  const [half, untyped] = [field('text', { value: '1.5' }), field('text', { value: '1,5', dataset: { type: 'number' } })];
  assert.equal(sent(half, 'value', integer), 'nothing');
  assert.match(half.message, /whole/);
  assert.equal(sent(untyped, 'value'), 'nothing');
  assert.notEqual(untyped.message, '');
  const bad = field('number', { validity: { badInput: true } });
  assert.equal(sent(bad, 'value', optional(double)), 'nothing');
});

test('a number field sends a number with all its digits', () => {
  const next = random(7);
  for (let count = 0; count < 200; count++) {
    const digits = `${next() < 0.5 ? '-' : ''}${1 + Math.floor(next() * 9)}${String(next()).slice(2)}.${String(next()).slice(2)}1`;
    assert.equal(sent(field('number', { value: digits }), 'value', decimal), digits);
    assert.equal(sent(field('number', { value: digits }), 'value', double), Number(digits));
  }
  for (const [value, number] of [['.5', '0.5'], ['007', '7'], ['+2', '2'], ['5.', '5']]) assert.equal(sent(field('number', { value }), 'value', decimal), number);
});

test('a number field is a number even for a text, and several choices are an array even for a single value', () => {
  assert.equal(sent(field('number', { value: '4' }), 'value', text), 4);
  assert.equal(sent(field('text', { value: '4', dataset: { type: 'number' } }), 'value', text), 4);
  const many = field('select-multiple', { options: ['a', 'b'] });
  showValue(many, ['b']);
  assert.deepEqual(sent(many, 'value', text), ['b']);
});

test('a text keeps State\'s line ends until the user changes it', () => {
  const next = random(3);
  for (let count = 0; count < 200; count++) {
    const state = Array.from({ length: 12 }, () => ['a', '\r\n', '\n', '\r', 'é'][Math.floor(next() * 5)]).join('');
    const area = field('textarea', { selectionStart: 1, selectionEnd: 1 });
    showValue(area, state);
    assert.equal(area.value, state.replace(/\r\n|\r/g, '\n'));
    assert.equal(sent(area, 'value', text), state);
    area.value += '!';
    assert.equal(sent(area, 'value', text), area.value);
  }
});

test('a text field is set once, whatever the browser makes of the text', () => {
  for (const [type, state, kept] of [['text', 'a\nb', 'ab'], ['email', ' a@b ', 'a@b'], ['color', '#FF0000', '#ff0000'], ['textarea', 'a\r\nb', 'a\nb']]) {
    let sets = 0;
    const one = field(type);
    Object.defineProperty(one, 'value', { get: () => (sets ? kept : ''), set: () => { sets++; } });
    for (let count = 0; count < 3; count++) showValue(one, state);
    assert.equal(sets, 1, type);
    assert.equal(sent(one, 'value', text), state);
  }
});
