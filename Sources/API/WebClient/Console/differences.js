// The differences between two States.

const isBranch = (value) => value !== null && typeof value === 'object';

/** Returns `{path, before, after}` for each member that differs; a missing member is `undefined`. */
export function differences(before, after, path = '') {
  if (before === after) return [];
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after)) return [{ path, before, after }];
  if (isKeyed(before) && isKeyed(after)) return differencesById(before, after, path);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const pathOf = (name) => (Array.isArray(after) ? `${path}[${name}]` : pathWithin(path, after, name));
  return [...names].flatMap((name) => (before[name] === after[name] ? [] : differences(before[name], after[name], pathOf(name))));
}

/** Returns the path of an object's member, or of a list's element, which has its id in it if ids tell the elements apart. */
export function pathWithin(path, container, name) {
  if (!Array.isArray(container)) return path ? `${path}.${name}` : name;
  return name in container && isKeyed(container) ? pathOfID(path, container[name].id) : `${path}[${name}]`;
}

const pathOfID = (path, id) => `${path}[id ${JSON.stringify(id)}]`;

/** Whether a list's elements are told apart by their ids. */
function isKeyed(list) {
  if (!Array.isArray(list)) return false;
  const ids = list.map((element) => element?.id);
  return ids.every((id) => id !== undefined && !isBranch(id)) && new Set(ids).size === ids.length;
}

function differencesById(before, after, path) {
  const [old, newer] = [before, after].map((list) => new Map(list.map((element) => [element.id, element])));
  const changes = [...new Set([...old.keys(), ...newer.keys()])]
    .flatMap((id) => differences(old.get(id), newer.get(id), pathOfID(path, id)));
  const orders = [[...old.keys()].filter((id) => newer.has(id)), [...newer.keys()].filter((id) => old.has(id))];
  const isMoved = orders[0].some((id, index) => id !== orders[1][index]);
  return isMoved ? [...changes, { path: `${path}, in order`, before: [...old.keys()], after: [...newer.keys()] }] : changes;
}

/** Returns the member of State that a path begins with. */
export const memberOf = (path) => path.split(/[.[,]/)[0];

export function written(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
