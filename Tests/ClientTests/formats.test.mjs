// Formats of values. The locale is the machine's, so the expected texts come from Intl.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, formats, formatted } from '../../Sources/API/WebClient/Expressions/formats.js';
import { localized } from '../../Sources/API/WebClient/Expressions/localized.js';

Object.assign(formats, localized);

const shows = (value, name, ...words) => formatted(name, value, words);
const number = (value, options) => new Intl.NumberFormat(undefined, options).format(value).replace('-', '−');

test('number follows the locale, with a real minus sign', () => {
  assert.equal(shows(1234.5, 'number'), number(1234.5));
  assert.equal(shows(-1234.5, 'number', '2'), number(-1234.5, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
  assert.equal(shows(2.5, 'number', '0'), number(2.5, { maximumFractionDigits: 0 }));
  assert.equal(shows(-3, 'signed'), '−3');
  assert.equal(shows(1234, 'signed'), '1234');
});

test('currency shows amounts, also those in cents', () => {
  assert.equal(shows(690, 'currency', 'EUR'), number(690, { style: 'currency', currency: 'EUR' }));
  assert.equal(shows(690, 'currency', 'EUR', 'cents'), number(6.9, { style: 'currency', currency: 'EUR' }));
});

test('percent shows fractions of one', () => assert.equal(shows(0.25, 'percent'), number(0.25, { style: 'percent' })));

test('number leaves texts as they are, and shows null as an empty text', () => {
  assert.equal(shows('many', 'number'), 'many');
  assert.equal(shows(null, 'number'), '');
  assert.equal(shows(undefined, 'currency', 'EUR'), '');
  assert.equal(shows(null, 'px'), '');
});

test('px shows a length', () => assert.equal(shows(180, 'px'), '180px'));

test('date, time and datetime follow the locale', () => {
  const written = '2026-11-22T18:00:00.000Z';
  const by = (options) => new Intl.DateTimeFormat(undefined, options).format(new Date(written));
  assert.equal(shows(written, 'date'), by({ dateStyle: 'medium' }));
  assert.equal(shows(written, 'time'), by({ timeStyle: 'short' }));
  assert.equal(shows(written, 'datetime'), by({ dateStyle: 'medium', timeStyle: 'short' }));
  assert.equal(shows('soon', 'date'), '');
  assert.equal(shows(null, 'date'), '');
});

test('relative shows how long ago a date is', () => {
  const by = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  const ago = (seconds) => shows(new Date(Date.now() - seconds * 1000).toISOString(), 'relative');
  assert.equal(ago(1), by.format(0, 'second'));
  assert.equal(ago(125), by.format(-2, 'minute'));
  assert.equal(ago(7300), by.format(-2, 'hour'));
  assert.equal(ago(-2 * 86_400 - 60), by.format(2, 'day'));
});

test('plural chooses the word for a number', () => {
  assert.equal(shows(1, 'plural', 'item', 'items'), 'item');
  assert.equal(shows(0, 'plural', 'item', 'items'), 'items');
  assert.equal(shows(1, 'plural', 'one', 'many'), 'one');
});

test('plural takes the word behind the name of the language\'s case, else the last', () => {
  const files = ['one', 'file', 'few', 'files', 'other', 'files, all of them'];
  assert.equal(shows(1, 'plural', ...files), 'file');
  assert.equal(shows(5, 'plural', ...files), 'files, all of them');
  assert.equal(shows(5, 'plural', ...files.slice(0, 4)), 'files');
});

test('upper, lower, capital and trim change letters and blanks', () => {
  assert.equal(shows('ada', 'upper'), 'ADA');
  assert.equal(shows('ADA', 'lower'), 'ada');
  assert.equal(shows('live wire', 'capital'), 'Live wire');
  assert.equal(shows(' live  wire\n', 'trim'), 'live  wire');
});

test('list follows the locale', () => assert.equal(shows(['a', 'b', 'c'], 'list'), new Intl.ListFormat().format(['a', 'b', 'c'])));

test('json shows a value as JSON', () => {
  assert.equal(shows({ a: [1] }, 'json'), JSON.stringify({ a: [1] }, null, 2));
  assert.equal(shows(false, 'json'), 'false');
  assert.equal(shows(undefined, 'json'), 'null');
});

test('or replaces an empty value, but not zero', () => {
  for (const nothing of [null, undefined, '', []]) assert.equal(shows(nothing, 'or', 'no', 'items'), 'no items');
  assert.equal(shows(0, 'or', '–'), 0);
});

test('a script may add a format; until then the value stays as it is', () => {
  assert.equal(shows(3, 'stars'), 3);
  format('stars', (value, star = '★') => star.repeat(value));
  assert.equal(shows(3, 'stars'), '★★★');
  assert.equal(shows(2, 'stars', '*'), '**');
});
