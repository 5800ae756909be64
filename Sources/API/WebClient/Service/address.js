// The service's address, and the keys of what the browser stores for it.

/** The service's address is that of this module, which may lie below a path of a proxy. */
const base = new URL('.', import.meta.url);
export const address = (path) => new URL(path, base).href;

/** Returns a key in the browser's storage, for this service alone: one origin may have several below different paths. */
export const placeOf = (kind, name = '') => `uifusion.${kind}.${base.pathname.slice(1)}${name}`;
