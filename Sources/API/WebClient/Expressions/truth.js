// Which values are true, which are equal, and values as text.

import { isObject } from '../Session/paths.js';

/** Whether a value is neither `false`, `null`, 0, missing, nor a text, an array or an object that is empty. */
export const isYes = (value) => Boolean(isObject(value) ? Object.keys(value).length : value);

/** Whether a value is an object, and not an array. */
export const hasMembers = (value) => isObject(value) && !Array.isArray(value);

/** Returns the case of an enum: `failed` for `"failed"` and `{"failed":…}`; any other value as it is. */
export function caseOf(value) {
  const [name, another] = hasMembers(value) ? Object.keys(value) : [];
  return name && !another ? name : value;
}

/** Whether two values are equal; a missing value equals `null`. */
export const isSame = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Returns a value as text on a page; empty for `null` and `false`. */
export const textOf = (value) => (value === null || value === undefined || value === false ? ''
  : typeof value === 'object' ? JSON.stringify(value) : String(value));
