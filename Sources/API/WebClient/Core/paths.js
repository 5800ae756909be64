// Where in a State something stands.

/** A Pulse is written as `{"value":…,"pulse":N}`, N counting its assignments. */
export const isPulse = (value) => Number.isInteger(value?.pulse) && 'value' in value;

/** A Pulse's value; anything else is itself. */
export const unwrapped = (value) => (isPulse(value) ? value.value : value);

/** What a path such as `frame.width` leads to, undefined where nothing is; `count` is the length of an array or text. */
export function valueAt(value, path = '') {
  for (const name of path === '' ? [] : path.split('.')) value = member(unwrapped(value), name);
  return value;
}

function member(value, name) {
  if (name === 'count' && (Array.isArray(value) || typeof value === 'string')) return value.length;
  return value !== null && typeof value === 'object' && Object.hasOwn(value, name) ? value[name] : undefined;
}
