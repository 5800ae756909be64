// The values of expressions in attributes, for a State and a row.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expression, template } from '../../Sources/API/WebClient/Expressions/expressions.js';
import { readings } from '../../Sources/API/WebClient/Expressions/scopes.js';
import { moreReadings } from '../../Sources/API/WebClient/More/readings.js';

readings.push(...moreReadings);

const state = {
  value: 3,
  isRunning: false,
  isOpen: true,
  name: '',
  cart: [],
  todos: [{ id: '7', title: 'milk' }],
  frame: { width: 180 },
  step: 'twoFactor',
  kind: 'in transit',
  filter: 'all',
  checkOut: { failed: 'Payment was declined' },
  ordered: { value: 12, pulse: 4 },
  activeAlert: null,
};
const session = { state, connection: 'live', id: 'abc', version: 9, unshown: 2 };
const page = { session, depth: 0, place: '' };
const outer = { session, parent: page, row: { name: 'all', tags: ['a'] }, index: 4 };
const inner = { session, parent: outer, row: 'a', index: 1 };

const gives = (source, scope = page) => expression(source)(scope);

test('a path leads to a member of State', () => {
  assert.equal(gives('value'), 3);
  assert.equal(gives('frame.width'), 180);
  assert.equal(gives('frame.depth'), undefined);
  assert.equal(gives('activeAlert.message'), undefined);
});

test('count is the length of an array or a text', () => {
  assert.equal(gives('todos.count'), 1);
  assert.equal(gives('kind.count'), 10);
});

test('a Pulse stands for its value', () => assert.equal(gives('ordered'), 12));

test('points lead to the row, and to the rows around it', () => {
  assert.equal(gives('.', inner), 'a');
  assert.equal(gives('..name', inner), 'all');
  assert.equal(gives('.name', outer), 'all');
  assert.deepEqual(gives('..tags', inner), ['a']);
  assert.equal(gives('$index', inner), 1);
  assert.equal(gives('..$index', inner), 4);
});

test('names with $ read the session', () => {
  assert.equal(gives('$connection'), 'live');
  assert.equal(gives('$id'), 'abc');
  assert.equal(gives('$version'), 9);
  assert.equal(gives('$waiting'), 2);
  assert.deepEqual(gives('$snapshot'), { version: 9, state });
});

test('constants are texts, numbers, true, false and null', () => {
  assert.equal(gives("'two words'"), 'two words');
  assert.equal(gives('"it\'s"'), "it's");
  assert.equal(gives("''"), '');
  assert.equal(gives('-2.5'), -2.5);
  assert.equal(gives('true'), true);
  assert.equal(gives('null'), null);
});

test('is compares an enum\'s case, with or without values', () => {
  assert.equal(gives('step is twoFactor'), true);
  assert.equal(gives('step is not done'), true);
  assert.equal(gives('checkOut is failed'), true);
  assert.equal(gives('checkOut is idle'), false);
  assert.equal(gives('checkOut.failed'), 'Payment was declined');
});

test('is compares any value', () => {
  assert.equal(gives('value is 3'), true);
  assert.equal(gives("kind is 'in transit'"), true);
  assert.equal(gives('activeAlert is null'), true);
  assert.equal(gives('missing is null'), true);
  assert.equal(gives('filter is .name', outer), true);
  assert.equal(gives('value is not 4'), true);
});

test('false, null, 0, empty texts, arrays and objects, and missing values count as false', () => {
  const all = { ...page, session: { ...session, state: { ...state, votes: {}, cleared: { value: {}, pulse: 2 }, row: { votes: { Ada: 0 } }, lists: [[]] } } };
  for (const no of ['isRunning', 'activeAlert', '0', 'name', 'cart', 'missing', 'votes', 'cleared', 'votes.Ada', 'row.votes.Ada', 'votes or cart']) {
    assert.equal(gives(`not (${no})`, all), true, no);
  }
  for (const yes of ['isOpen', 'value', 'kind', 'todos', 'frame', '-1', 'row', 'row.votes', 'lists', 'votes or isOpen']) assert.equal(gives(`not (${yes})`, all), false, yes);
});

test('not binds more tightly than and, and binds more tightly than or', () => {
  assert.equal(gives('not isRunning and isOpen'), true);
  assert.equal(gives('isOpen or isOpen and isRunning'), true);
  assert.equal(gives('(isOpen or isOpen) and isRunning'), false);
  assert.equal(gives('not (isRunning or isOpen)'), false);
  assert.equal(gives('not step is done'), true);
  assert.equal(gives("name or 'nobody'"), 'nobody');
});

test('formats can be chained', () => {
  assert.equal(gives('step | upper | lower'), 'twofactor');
  assert.equal(gives("value | plural 'one item' items"), 'items');
  assert.equal(gives('name | or no name'), 'no name');
  assert.equal(gives('missing | or –'), '–');
});

test('a text has expressions in braces, and two braces stand for one', () => {
  assert.equal(template('{value} left, {cart.count} in')(page), '3 left, 0 in');
  assert.equal(template('{{"add":{value}}')(page), '{"add":3}');
  assert.equal(template("{name | or '}'}")(page), '}');
  assert.equal(expression('Timer {step}')(page), 'Timer twoFactor');
  assert.equal(template('{missing}{activeAlert}{isRunning}')(page), '');
});

test('an invalid expression throws an error that says why', () => {
  for (const [source, words] of [
    ['a b', /“b” is not understood/],
    ['(a', /“\)” is missing at the end/],
    ['a ==', /“==” is not understood/],
    ['!a', /“!a” is no value/],
    ['not', /is no value/],
    ["'open", /is no value/],
    ['', /is no value/],
  ]) assert.throws(() => expression(source), words, source);
  assert.throws(() => template('{a'), /brace/);
});

test('a member that State does not have is reported once, and is undefined', (context) => {
  const warn = context.mock.method(console, 'warn', () => {});
  const misspelt = expression('valeu');
  for (const _ of 'ab') assert.equal(misspelt(page, { localName: 'p' }), undefined);
  assert.match(warn.mock.calls.map(({ arguments: [words] }) => words).join(), /^<p> valeu: State has no such member; it has value, [^<]*$/);
});

test('a misspelt member of a value or a row is reported, too', (context) => {
  const warn = context.mock.method(console, 'warn', () => {});
  const isTold = (source, scope) => {
    warn.mock.resetCalls();
    expression(source)(scope, { localName: 'p' });
    return warn.mock.calls.map(({ arguments: [words] }) => words).join();
  };
  const row = { ...outer, row: { id: '7', name: 'milk', product: { price: 3 } } };
  for (const [source, scope, name, meant] of [
    ['checkOut.faild', page, 'faild', 'failed'],
    ['todos.0.titel', page, 'titel', 'title'],
    ['.nmae', row, 'nmae', 'name'],
    ['.product.prise', row, 'prise', 'price'],
  ]) assert.equal(isTold(source, scope), `<p> ${source.replace(/^\./, '')}: is “${name}” “${meant}”?`);
  for (const [source, scope] of [['checkOut.declined', page], ['todos.1.title', page], ['.note', row]]) assert.equal(isTold(source, scope), '');
});

test('what is built in has a name of its own', () => {
  assert.equal(gives('$.id'), 'abc');
  assert.equal(gives('..$.index', inner), 4);
  assert.equal(gives('$.connection is live and $.waiting > 1'), true);
  assert.throws(() => expression('$.title'), /“\$\.title” is not built in/);
});

test('each member that an object inherits in JavaScript is only found if State has it', () => {
  for (const name of Object.getOwnPropertyNames(Object.prototype)) {
    const its = { ...page, session: { ...session, state: JSON.parse(`{"${name}":1,"row":{"${name}":{"b":[]}},"phase":{"${name}":{"x":1}}}`) } };
    assert.equal(gives(name, its), 1, name);
    assert.deepEqual(gives(`row.${name}.b`, its), [], name);
    assert.equal(gives(`phase is ${name}`, its), true, name);
    assert.equal(gives(name), undefined, name);
    assert.equal(gives(`todos.${name}`), undefined, name);
    assert.equal(gives(`value | ${name}`), 3, name);
    assert.equal(gives(`value | upper | ${name}`), '3', name);
  }
});

test('an expression lists what it reads', () => {
  assert.deepEqual(expression('cart and .name is $index').uses.map(({ up, path }) => [up, path]), [[0, 'cart'], [1, 'name'], [0, '$index']]);
});
