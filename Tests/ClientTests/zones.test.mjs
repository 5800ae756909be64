// Dates in fields and formats, in all time zones. Intl and the machine's own Date are the judges.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entered } from '../../Sources/API/WebClient/Fields/entries.js';
import { formats, formatted } from '../../Sources/API/WebClient/Expressions/formats.js';
import { held, showValue } from '../../Sources/API/WebClient/Fields/values.js';
import { conversions } from '../../Sources/API/WebClient/Schemas/conversions.js';
import { clock, dateText, heldDate, momentOf } from '../../Sources/API/WebClient/Expressions/dates.js';
import { localized } from '../../Sources/API/WebClient/Expressions/localized.js';
import { field, random } from './fields.mjs';

Object.assign(formats, localized);
conversions.date = { held: heldDate, sent: dateText };
globalThis.document = { documentElement: { dataset: {} } };
const seed = Number(process.env.SEED ?? Date.now() % 1e9);
console.log(`SEED=${seed}`);
const next = random(seed);
const zones = Intl.supportedValuesOf('timeZone');
const oneOf = (list) => list[Math.floor(next() * list.length)];
const date = { type: 'string', format: 'date-time' };
const day = { type: 'string', format: 'date' };

/** Returns a moment from 1890 to 2090, in half of the cases within two hours of a change of the clock. */
function momentIn(zone) {
  const start = Date.UTC(1890) + Math.floor(next() * (Date.UTC(2090) - Date.UTC(1890)));
  const moments = next() < 0.5 ? [] : Array.from({ length: 400 }, (_, index) => start + index * 43_200_000);
  const change = moments.find((moment) => clock(moment, zone) - moment !== clock(start, zone) - start);
  return change === undefined ? start : change - 43_200_000 + Math.floor(next() * 43_200_000);
}

/** Returns what a zone's clock shows, as Intl writes it. */
function judged(moment, timeZone) {
  const options = { timeZone, hourCycle: 'h23', era: 'short', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 };
  const parts = Object.fromEntries(new Intl.DateTimeFormat('en', options).formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.year.padStart(4, 0)}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}.${parts.fractionalSecond}Z`;
}

/** Calls a function with another time zone of the machine. */
function inZone(zone, action) {
  const { TZ } = process.env;
  process.env.TZ = zone;
  try {
    return action();
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
}

test('a clock shows what Intl says, and each moment is found again', () => {
  for (let count = 0; count < 1000; count++) {
    const zone = oneOf(zones);
    const moment = momentIn(zone);
    const shown = clock(moment, zone);
    assert.equal(new Date(shown).toISOString(), judged(moment, zone), `${zone} ${moment}`);
    assert.equal(momentOf(shown, zone, moment), moment, `${zone} ${moment}`);
  }
});

test('what a clock shows twice is the first time, and what it skips is as much later', () => {
  for (let count = 0; count < 600; count++) {
    const zone = oneOf(zones);
    const text = new Date(clock(momentIn(zone), zone) + Math.floor((next() - 0.5) * 7_200_000)).toISOString().slice(0, -1);
    assert.equal(momentOf(Date.parse(`${text}Z`), zone), inZone(zone, () => Date.parse(text)), `${zone} ${text}`);
  }
});

test('a field sends what State has, unless the user changes it; then what its clock shows', () => {
  for (let count = 0; count < 600; count++) {
    const zone = oneOf(zones);
    const state = new Date(momentIn(zone)).toISOString();
    const element = field('datetime-local', { dataset: { zone } });
    showValue(element, state);
    assert.equal(entered(element, date), state, zone);
    const text = element.value;
    const minute = String(Math.floor(next() * 60)).padStart(2, 0);
    element.value = `${text.slice(0, 14)}${minute}${text.slice(16)}`;
    const sent = entered(element, date);
    const isSkipped = !judged(inZone(zone, () => Date.parse(element.value)), zone).startsWith(element.value);
    if (!isSkipped) assert.equal(held(element, sent), element.value, zone);
    const [first, last] = [-Infinity, Infinity].map((near) => momentOf(Date.parse(`${element.value}Z`), zone, near));
    const farther = Date.parse(sent) === first ? last : first;
    assert.ok(Math.abs(Date.parse(sent) - Date.parse(state)) <= Math.abs(farther - Date.parse(state)), `${zone} ${state} ${sent}`);
    showValue(element, sent);
    assert.equal(entered(element, date), sent, zone);
  }
});

test('the hour that a clock shows twice is not left by editing a minute', () => {
  const element = field('datetime-local', { dataset: { zone: 'Europe/Berlin' } });
  for (const [state, edited] of [['2026-10-25T00:30:00.000Z', '2026-10-25T00:31:00.000Z'], ['2026-10-25T01:30:00.000Z', '2026-10-25T01:31:00.000Z']]) {
    showValue(element, state);
    assert.equal(element.value, '2026-10-25T02:30');
    element.value = '2026-10-25T02:31';
    assert.equal(entered(element, date), edited);
  }
  element.value = '2026-03-29T02:15';
  assert.equal(entered(element, date), '2026-03-29T01:15:00.000Z');
});

test('a field and a format show the same day and the same time of day', () => {
  for (let count = 0; count < 300; count++) {
    const zone = oneOf(zones);
    const moment = momentIn(zone);
    for (const state of [moment, moment - moment % 86_400_000, (moment % 86_400_000 + 86_400_000) % 86_400_000].map((moment) => new Date(moment).toISOString())) {
      for (const [kind, style] of [['date', { dateStyle: 'medium' }], ['time', { timeStyle: 'short' }]]) {
        for (const named of [zone, undefined]) {
          const element = field(kind, { dataset: { zone: named } });
          showValue(element, state);
          const text = kind === 'date' ? element.value : `1970-01-01T${element.value}`;
          const expected = new Intl.DateTimeFormat(undefined, { ...style, timeZone: 'UTC' }).format(Date.parse(kind === 'date' ? text : `${text}Z`));
          assert.equal(formatted(kind, state, named ? [named] : []), expected, `${kind} ${state} ${named}`);
        }
      }
    }
  }
});

test('a day is the same in every zone', () => {
  for (let count = 0; count < 200; count++) {
    const zone = oneOf(zones);
    const state = new Date(momentIn(zone)).toISOString().slice(0, 10);
    const element = field('date', { dataset: { zone } });
    showValue(element, state);
    assert.equal(element.value, state);
    assert.equal(entered(element, day), state);
    const expected = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(state));
    assert.equal(formatted('date', state, [zone]), expected);
    assert.equal(formatted('datetime', state, []), expected);
    assert.equal(formatted('time', state, []), '');
  }
});

test('a business zone decides on which day a moment is, and when a day begins', () => {
  const state = '2026-10-24T22:30:00.000Z';
  const element = field('date', { dataset: { zone: 'Europe/Berlin' } });
  showValue(element, state);
  assert.equal(element.value, '2026-10-25');
  assert.equal(entered(element, date), state);
  element.value = '2026-10-26';
  assert.equal(entered(element, date), '2026-10-25T23:00:00.000Z');
  element.value = '2026-07-01';
  assert.equal(entered(element, date), '2026-06-30T22:00:00.000Z');
  assert.equal(formatted('date', state, ['Europe/Berlin']), new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.UTC(2026, 9, 25)));
});

test('a day is told from today', () => {
  const by = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  const today = new Date(clock(Date.now())).toISOString().slice(0, 10);
  for (const count of [0, 1, -1, 40]) {
    const text = new Date(Date.parse(today) + count * 86_400_000).toISOString().slice(0, 10);
    assert.equal(formatted('relative', text, []), by.format(count, 'day'));
  }
});

test('a field shows seconds and milliseconds, without being invalid, unless the page has other steps', () => {
  const state = '2026-11-24T01:30:05.250Z';
  for (const [type, step, text, own] of [
    ['datetime-local', '', '2026-11-24T01:30:05.250', 'any'], ['time', '', '01:30:05.250', 'any'],
    ['datetime-local', '60', '2026-11-24T01:30', '60'], ['datetime-local', '1', '2026-11-24T01:30:05', '1'],
    ['time', '900', '01:30', '900'], ['time', '0.001', '01:30:05.250', '0.001'], ['time', 'any', '01:30:05.250', 'any'],
  ]) {
    const element = field(type, { attributes: { ...step && { step } }, dataset: { zone: 'UTC' } });
    showValue(element, state);
    assert.deepEqual([element.value, element.step], [text, own]);
    assert.equal(entered(element, date), state);
  }
  for (const [type, value, own] of [['number', 2.5, 'any'], ['range', 0.1, 'any'], ['number', 2, ''], ['number', '2.5', 'any'], ['time', 37_800, ''], ['time', 37_805, 'any']]) {
    const element = field(type);
    showValue(element, value);
    assert.equal(element.step, own);
  }
});
