// Numbers, dates and lists as the page's language writes them: `price | currency EUR`.

import { clock, zoneFor, zoneOf } from './dates.js';
import { isNumber, language, realMinus } from './formats.js';
import { textOf } from './truth.js';

const formatters = new Map();

/** Returns a cached formatter: making one takes longer than using it a hundred times. */
export function formatter(Kind, options) {
  const key = Kind.name + JSON.stringify(options);
  if (!formatters.has(key)) formatters.set(key, new Kind(language, options));
  return formatters.get(key);
}

function numeric(value, digits, options) {
  if (!isNumber(value)) return textOf(value);
  const places = digits && { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return realMinus(formatter(Intl.NumberFormat, { ...options, ...places }).format(value));
}

/** Whether a value is a day, without a time: a `CalendarDay`. */
const isDay = (value) => /^\d{4}-\d\d-\d\d$/.test(value);

function dated(value, show) {
  const date = Number(new Date(value ?? NaN));
  return isNaN(date) ? '' : show(date);
}

/** Returns a format for a date's day, time or both. Of a day only the day is shown. */
const dateFormat = (kind, { dateStyle, timeStyle }) => (value, zone = zoneOf({})) => dated(value, (date) => (isDay(value) && !dateStyle ? ''
  : formatter(Intl.DateTimeFormat, { dateStyle, timeStyle: isDay(value) ? undefined : timeStyle, timeZone: isDay(value) ? 'UTC' : zoneFor(date, kind, zone) }).format(date)));

function relative(date, isDay) {
  const now = Date.now();
  // Days are counted from today's.
  const seconds = (date - (isDay ? Math.floor(clock(now, zoneOf({})) / 86_400_000) * 86_400_000 : now)) / 1000;
  const size = Math.abs(seconds);
  const units = [['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]];
  const [unit, length] = isDay ? units[0] : units.find(([, length]) => size >= length) ?? units[3];
  return formatter(Intl.RelativeTimeFormat, { numeric: 'auto' }).format(size < 10 ? 0 : Math.trunc(seconds / length), unit);
}

export const localized = {
  number: numeric,
  currency: (value, currency, isInCents) =>
    numeric(isInCents && isNumber(value) ? (typeof value === 'number' ? value / 100 : `${value}e-2`) : value, 0, { style: 'currency', currency }),
  percent: (value, digits) => numeric(value, digits, { style: 'percent' }),
  date: dateFormat('date', { dateStyle: 'medium' }),
  time: dateFormat('time', { timeStyle: 'short' }),
  datetime: dateFormat('datetime', { dateStyle: 'medium', timeStyle: 'short' }),
  relative: (value) => dated(value, (date) => relative(date, isDay(value))),
  list: (value) => formatter(Intl.ListFormat).format([value ?? []].flat().map(textOf)),
};
