// The names of the client's attributes: a page with `<html data-prefix="uf">` writes `data-uf-value`, and leaves `data-value` to
// another library.

import { dom } from './dom.js';

const prefix = globalThis.document?.documentElement.dataset.prefix;

/** Returns names or selectors with the page's prefix. */
export const named = (text) => (prefix ? text.replaceAll('data-', `data-${prefix}-`) : text);

/** Returns an attribute's name without the prefix; undefined if the client does not use it. */
export function plain(name) {
  const start = named('data-');
  return name.startsWith(start) ? `data-${name.slice(start.length)}` : undefined;
}

const keyOf = (name) => prefix + name[0].toUpperCase() + name.slice(1);
const prefixed = {
  get: (dataset, name) => dataset[keyOf(name)],
  has: (dataset, name) => keyOf(name) in dataset,
  set: (dataset, name, value) => Reflect.set(dataset, keyOf(name), value),
  deleteProperty: (dataset, name) => delete dataset[keyOf(name)],
};

/** Returns the element's `dataset`, with names without the prefix. */
export function own(element) {
  const { dataset } = dom(element);
  return prefix && dataset ? new Proxy(dataset, prefixed) : dataset;
}
