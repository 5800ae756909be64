// Dates in fields, and the clocks of time zones: what they show at a moment, and the moment at which they show it. Both are
// milliseconds since 1970; those that a clock shows are counted as if it were in UTC.

import { own } from '../Page/prefix.js';

const day = 86_400_000;

/** Returns the time zone of an element, or of the page; undefined for the browser's. */
export const zoneOf = (element) => own(element ?? {})?.zone ?? own(globalThis.document?.documentElement ?? {})?.zone;

const offsets = new Map();

/** Returns how far a zone's clock is ahead of UTC. */
function ahead(moment, zone) {
  if (!offsets.has(zone)) offsets.set(zone, new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }));
  const [, sign, ...parts] = /([+-])(\d+):(\d+):?(\d*)$/.exec(offsets.get(zone).format(moment)) ?? [];
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0) * (sign === '-' ? -1000 : 1000);
}

/** Whether a moment stands for a day, midnight UTC, or for a time of day, on 1 January 1970: the same in all zones. */
const isEverywhere = (moment, kind, zone) => (kind === 'time' ? moment >= 0 && moment < day : /^(date|month)$/.test(kind) && !zone && moment % day === 0);

/** Returns the zone in which the kind of field or format shows a moment. */
export const zoneFor = (moment, kind, zone) => (isEverywhere(moment, kind, zone) ? 'UTC' : zone);

export const clock = (moment, zone) => moment + ahead(moment, zone);

/**
 * Returns the moment at which a clock shows something: of two, when the clock is set back, the one nearer to another moment, or
 * else the first. What the clock skips is taken to be as much later as it is set forward.
 */
export function momentOf(shown, zone, near = -Infinity) {
  const found = [shown - day, shown + day].map((moment) => shown - ahead(moment, zone));
  const fitting = found.filter((moment) => clock(moment, zone) === shown).sort((one, other) => one - other);
  const [first = found[0], last = first] = fitting;
  return Math.abs(last - near) < Math.abs(first - near) ? last : first;
}

const parts = { date: [0, 10], month: [0, 7], time: [11], 'datetime-local': [0] };

/** Returns a date as its field holds it, as precisely as the field's steps; undefined if the value is no date. */
export function heldDate(element, value) {
  const { type, step } = element;
  const isSeconds = type === 'time' && typeof value === 'number';
  if (!isSeconds && !/T.*Z$/.test(value)) return undefined;
  const moment = isSeconds ? value * 1000 : Date.parse(value);
  const text = new Date(clock(moment, zoneFor(moment, type, zoneOf(element)))).toISOString().slice(...parts[type], -1);
  if (/^(date|month)$/.test(type)) return text;
  return text.slice(0, step > 0 && step % 1 === 0 ? step % 60 ? -4 : -7 : undefined).replace(/(:00)?\.000$/, '');
}

/** Returns the ISO date of a field's text. A time is UTC, and so is a day without a zone; anything else is in the zone. */
export function dateText(text, field, near) {
  const zone = zoneOf(field);
  const shown = Date.parse(text[2] === ':' ? `1970-01-01T${text}Z` : text.includes('T') ? `${text}Z` : text);
  if (isNaN(shown)) return text;
  return new Date(text[2] === ':' || text.length < 11 && !zone ? shown : momentOf(shown, zone, near)).toISOString();
}
