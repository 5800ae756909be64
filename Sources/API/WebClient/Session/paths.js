// Paths in a State.

import { countOf } from '../Expressions/characters.js';

/** Whether a value is an object or an array. */
export const isObject = (value) => value !== null && typeof value === 'object';

/** A Pulse is written as `{"value":…,"pulse":N}`, N counting its assignments. */
export const isPulse = (value) => Number.isInteger(value?.pulse) && 'value' in value;

/** Returns a Pulse's value, and any other value as it is. */
export const unwrapped = (value) => (isPulse(value) ? value.value : value);

/** Returns the value at a path such as `frame.width`, undefined if there is none; `count` is that of an array's elements or a text's characters. */
export function valueAt(value, path = '') {
  for (const name of path === '' ? [] : path.split('.')) value = member(unwrapped(value), name);
  return value;
}

function member(value, name) {
  if (name === 'count' && Array.isArray(value)) return value.length;
  if (name === 'count' && typeof value === 'string') return countOf(value);
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
