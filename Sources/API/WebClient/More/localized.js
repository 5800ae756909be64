// Numbers, dates and lists as the page's language writes them: `price | currency EUR`.

import { isNumber, language, realMinus } from '../Bindings/formats.js';
import { textOf } from '../Bindings/truth.js';

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

function dated(value, show) {
  const date = new Date(value ?? NaN);
  return isNaN(date) ? '' : show(date);
}

const dateFormat = (options) => (value) => dated(value, (date) => formatter(Intl.DateTimeFormat, options).format(date));

function relative(date) {
  const seconds = (date - Date.now()) / 1000;
  const size = Math.abs(seconds);
  const units = [['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]];
  const [unit, length] = units.find(([, length]) => size >= length) ?? units[3];
  return formatter(Intl.RelativeTimeFormat, { numeric: 'auto' }).format(size < 10 ? 0 : Math.trunc(seconds / length), unit);
}

export const localized = {
  number: numeric,
  currency: (value, currency, isInCents) =>
    numeric(isInCents && isNumber(value) ? value / 100 : value, 0, { style: 'currency', currency }),
  percent: (value, digits) => numeric(value, digits, { style: 'percent' }),
  date: dateFormat({ dateStyle: 'medium' }),
  time: dateFormat({ timeStyle: 'short' }),
  datetime: dateFormat({ dateStyle: 'medium', timeStyle: 'short' }),
  relative: (value) => dated(value, relative),
  list: (value) => formatter(Intl.ListFormat).format([value ?? []].flat().map(textOf)),
};
