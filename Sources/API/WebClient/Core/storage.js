// The browser's storage; memory stands in for it if the page may store nothing.

const kept = (name) => {
  try {
    return window[name];
  } catch {
    const memory = new Map();
    return { getItem: (key) => memory.get(key) ?? null, setItem: (key, text) => memory.set(key, text), removeItem: (key) => memory.delete(key) };
  }
};

/** Stores a text, unless there is no room for it. */
export function keep(storage, key, text) {
  try {
    storage.setItem(key, text);
  } catch { /* The browser allows some megabytes. */ }
}

/** The tab's storage; it survives reloads. */
export const tabStorage = kept('sessionStorage');
/** The storage that all tabs share; it is permanent. */
export const browserStorage = kept('localStorage');
