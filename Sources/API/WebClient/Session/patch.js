// Turns one State into the next; parts that did not change stay the same objects.

import { isObject } from './paths.js';

const copy = (value) => (Array.isArray(value) ? [...value] : { ...value });

// An assignment to `__proto__` would set the prototype.
const put = (object, name, value) =>
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });

/** Returns a patched copy of a State (RFC 6902: `add`, `remove`, `replace`). Throws if the patch does not fit. */
export function patched(state, operations) {
  const copies = new Set();
  const own = (value) => {
    if (!isObject(value)) throw new TypeError('The patch does not fit.');
    if (copies.has(value)) return value;
    const result = copy(value);
    copies.add(result);
    return result;
  };
  for (const { op, path, value } of operations) {
    if (path === '') {
      state = value;
      continue;
    }
    const names = path.slice(1).split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop();
    let parent = state = own(state);
    for (const name of names) {
      const child = own(Object.hasOwn(parent, name) && parent[name]);
      put(parent, name, child);
      parent = child;
    }
    change(parent, op, last, value);
  }
  return state;
}

function change(parent, op, name, value) {
  const exists = Object.hasOwn(parent, name);
  if (op !== 'add' && !exists) throw new TypeError('The patch does not fit.');
  if (Array.isArray(parent) && op !== 'replace') {
    const index = name === '-' ? parent.length : Number(name);
    if (op === 'add') parent.splice(index, 0, value);
    else parent.splice(index, 1);
  } else if (op === 'remove') {
    delete parent[name];
  } else {
    put(parent, name, value);
  }
}

/** Returns the new value; parts that equal the old value's are the old objects. */
export function merged(old, value) {
  if (!isObject(old) || !isObject(value) || Array.isArray(old) !== Array.isArray(value)) return value;
  const names = Object.keys(value);
  let isSame = names.length === Object.keys(old).length;
  for (const name of names) {
    const part = Object.hasOwn(old, name) ? merged(old[name], value[name]) : value[name];
    if (part !== value[name]) put(value, name, part);
    if (part !== old[name] || !Object.hasOwn(old, name)) isSame = false;
  }
  return isSame ? old : value;
}
