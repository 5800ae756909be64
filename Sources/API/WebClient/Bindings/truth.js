// What counts as yes, as the same, as text.

/** `false`, `null`, 0, an empty text, an empty array and what is not there count as no. */
export const isYes = (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** Of an enum: the case `failed` is `"failed"` or `{"failed":…}`. Anything else is itself. */
export function caseOf(value) {
  const [name, another] = value?.constructor === Object ? Object.keys(value) : [];
  return name && !another ? name : value;
}

/** What is not there is the same as `null`. */
export const isSame = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** As text stands on a page; `null` and `false` are none. */
export const textOf = (value) => (value === null || value === undefined || value === false ? ''
  : typeof value === 'object' ? JSON.stringify(value) : String(value));
