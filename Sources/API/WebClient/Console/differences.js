// The differences between two States.

const isBranch = (value) => value !== null && typeof value === 'object';

/** Returns `{path, before, after}` for each member that differs; a missing member is `undefined`. */
export function differences(before, after, path = '') {
  if (before === after) return [];
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const pathOf = Array.isArray(after) ? (name) => `${path}[${name}]` : (name) => (path ? `${path}.${name}` : name);
  return [...names].flatMap((name) => differences(before[name], after[name], pathOf(name)));
}

/** Returns the member of State that a path begins with. */
export const memberOf = (path) => path.split(/[.[]/)[0];

export function written(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
