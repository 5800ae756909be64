// Values as text. The locale is the machine's: what depends on it is asked of Intl.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, formats, formatted } from '../../Sources/API/WebClient/Bindings/formats.js';
import { localized } from '../../Sources/API/WebClient/More/localized.js';

Object.assign(formats, localized);

const shows = (value, name, ...words) => formatted(name, value, words);
const number = (value, options) => new Intl.NumberFormat(undefined, options).format(value).replace('-', '−');

test('numbers by the locale, with a real minus sign', () => {
  assert.equal(shows(1234.5, 'number'), number(1234.5));
  assert.equal(shows(-1234.5, 'number', '2'), number(-1234.5, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
  assert.equal(shows(2.5, 'number', '0'), number(2.5, { maximumFractionDigits: 0 }));
  assert.equal(shows(-3, 'signed'), '−3');
  assert.equal(shows(1234, 'signed'), '1234');
});

test('amounts, of cents, too', () => {
  assert.equal(shows(690, 'currency', 'EUR'), number(690, { style: 'currency', currency: 'EUR' }));
  assert.equal(shows(690, 'currency', 'EUR', 'cents'), number(6.9, { style: 'currency', currency: 'EUR' }));
});

test('parts of one', () => assert.equal(shows(0.25, 'percent'), number(0.25, { style: 'percent' })));

test('what is no number stays as it is, and nothing is nothing', () => {
  assert.equal(shows('many', 'number'), 'many');
  assert.equal(shows(null, 'number'), '');
  assert.equal(shows(undefined, 'currency', 'EUR'), '');
  assert.equal(shows(null, 'px'), '');
});

test('a length', () => assert.equal(shows(180, 'px'), '180px'));

test('a day, a time of day, and both', () => {
  const written = '2026-11-22T18:00:00.000Z';
  const by = (options) => new Intl.DateTimeFormat(undefined, options).format(new Date(written));
  assert.equal(shows(written, 'date'), by({ dateStyle: 'medium' }));
  assert.equal(shows(written, 'time'), by({ timeStyle: 'short' }));
  assert.equal(shows(written, 'datetime'), by({ dateStyle: 'medium', timeStyle: 'short' }));
  assert.equal(shows('soon', 'date'), '');
  assert.equal(shows(null, 'date'), '');
});

test('how long ago', () => {
  const by = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  const ago = (seconds) => shows(new Date(Date.now() - seconds * 1000).toISOString(), 'relative');
  assert.equal(ago(1), by.format(0, 'second'));
  assert.equal(ago(125), by.format(-2, 'minute'));
  assert.equal(ago(7300), by.format(-2, 'hour'));
  assert.equal(ago(-2 * 86_400 - 60), by.format(2, 'day'));
});

test('the word for a number', () => {
  assert.equal(shows(1, 'plural', 'item', 'items'), 'item');
  assert.equal(shows(0, 'plural', 'item', 'items'), 'items');
});

test('letters', () => {
  assert.equal(shows('ada', 'upper'), 'ADA');
  assert.equal(shows('ADA', 'lower'), 'ada');
  assert.equal(shows('live wire', 'capital'), 'Live wire');
  assert.equal(shows(' live  wire\n', 'trim'), 'live  wire');
});

test('lists', () => assert.equal(shows(['a', 'b', 'c'], 'list'), new Intl.ListFormat().format(['a', 'b', 'c'])));

test('JSON', () => {
  assert.equal(shows({ a: [1] }, 'json'), JSON.stringify({ a: [1] }, null, 2));
  assert.equal(shows(false, 'json'), 'false');
  assert.equal(shows(undefined, 'json'), 'null');
});

test('what stands for nothing; zero is something', () => {
  for (const nothing of [null, undefined, '', []]) assert.equal(shows(nothing, 'or', 'no', 'items'), 'no items');
  assert.equal(shows(0, 'or', '–'), 0);
});

test('a script adds its own; until then the value stays as it is', () => {
  assert.equal(shows(3, 'stars'), 3);
  format('stars', (value, star = '★') => star.repeat(value));
  assert.equal(shows(3, 'stars'), '★★★');
  assert.equal(shows(2, 'stars', '*'), '**');
});
