// The browser's storage; memory stands in for it where the browser fails.

import { attempt } from './attempts.js';

/** Returns a storage of which no call fails; `find` returns the browser's. */
export function storage(find) {
  const memory = new Map(); // texts that the browser has not taken; null for one that it has not removed
  const change = (key, text, act) => {
    if (attempt(() => act(find()) ?? true)) memory.delete(key);
    else memory.set(key, text);
  };
  const its = {
    getItem: (key) => (memory.has(key) ? memory.get(key) : attempt(() => find().getItem(key)) ?? null),
    setItem(key, text) {
      change(key, String(text), (its) => its.setItem(key, text));
      // An older text must not come back with the next page.
      if (memory.has(key)) attempt(() => find().removeItem(key));
    },
    removeItem: (key) => change(key, null, (its) => its.removeItem(key)),
    keys: () => [...new Set([...attempt(() => Object.keys(find())) ?? [], ...memory.keys()])].filter((key) => its.getItem(key) !== null),
    /** Whether the browser has taken all texts. */
    isWhole: () => memory.size === 0,
  };
  return its;
}

/** The tab's storage; it survives reloads. */
export const tabStorage = storage(() => window.sessionStorage);
/** The storage that all tabs share; it is permanent. */
export const browserStorage = storage(() => window.localStorage);
