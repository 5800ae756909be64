// The names of our attributes: `<html data-prefix="uf">` has `data-uf-value` in place of `data-value`, which may then be
// another library's.

const prefix = globalThis.document?.documentElement.dataset.prefix;

/** Names, or selectors, as the page writes them. */
export const named = (text) => (prefix ? text.replaceAll('data-', `data-${prefix}-`) : text);

/** The name without the prefix; undefined where it is not ours. */
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

/** The element's `dataset`, by the names without the prefix. */
export const own = ({ dataset }) => (prefix && dataset ? new Proxy(dataset, prefixed) : dataset);
