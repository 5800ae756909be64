// Values as text, by the browser's locale: `price | currency EUR`.

import { textOf } from './truth.js';

const formatters = new Map();

/** The page's own, if it has one that exists. */
const language = supported(globalThis.document?.documentElement.lang);

function supported(language) {
  try {
    return Intl.getCanonicalLocales(language || [])[0];
  } catch {
    return undefined;
  }
}

/** To make one takes longer than to use it a hundred times. */
export function formatter(Kind, options) {
  const key = Kind.name + JSON.stringify(options);
  if (!formatters.has(key)) formatters.set(key, new Kind(language, options));
  return formatters.get(key);
}

const isNumber = (value) => value !== null && value !== '' && Number.isFinite(Number(value));

const realMinus = (text) => text.replace('-', '−');

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

const formats = {
  number: numeric,
  currency: (value, currency, isInCents) =>
    numeric(isInCents && isNumber(value) ? value / 100 : value, 0, { style: 'currency', currency }),
  percent: (value, digits) => numeric(value, digits, { style: 'percent' }),
  signed: (value) => realMinus(textOf(value)),
  date: dateFormat({ dateStyle: 'medium' }),
  time: dateFormat({ timeStyle: 'short' }),
  datetime: dateFormat({ dateStyle: 'medium', timeStyle: 'short' }),
  relative: (value) => dated(value, relative),
  plural: (value, one, others) => (Number(value) === 1 ? one : others),
  px: (value) => (isNumber(value) ? `${value}px` : ''),
  upper: (value) => textOf(value).toLocaleUpperCase(),
  lower: (value) => textOf(value).toLocaleLowerCase(),
  capital: (value) => textOf(value).replace(/^./u, (first) => first.toLocaleUpperCase()),
  trim: (value) => textOf(value).trim(),
  list: (value) => formatter(Intl.ListFormat).format([value ?? []].flat().map(textOf)),
  json: (value) => JSON.stringify(value ?? null, null, 2),
  or: (value, ...words) => (textOf(value?.length === 0 ? '' : value) === '' ? words.join(' ') : value),
};

/** What may change texts though no State changes: time, and formats that scripts add. */
export const moment = { count: 0, renderings: new Set() };

export function pass() {
  moment.count++;
  for (const render of moment.renderings) render();
}

/** Adds a format: `format('stars', (value) => '★'.repeat(value))`, used as `rating | stars`. */
export function format(name, show) {
  formats[name] = show;
  pass();
}

export const isUnknown = (name) => name !== undefined && !formats[name];

/** Its text may change while its value does not. */
export const isFleeting = (name) => name === 'relative' || isUnknown(name);

/** A format that no script has added by now leaves the value as it is. */
export const formatted = (name, value, words) => (formats[name] ? formats[name](value, ...words) : value);
