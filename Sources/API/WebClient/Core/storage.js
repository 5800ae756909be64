// What the browser keeps for the page; where it may keep nothing, only as long as the page is there.

const kept = (name) => {
  try {
    return window[name];
  } catch {
    const memory = new Map();
    return { getItem: (key) => memory.get(key) ?? null, setItem: (key, text) => memory.set(key, text), removeItem: (key) => memory.delete(key) };
  }
};

/** What finds no room is not kept, and will not survive a reload. */
export function keep(storage, key, text) {
  try {
    storage.setItem(key, text);
  } catch { /* The browser allows some megabytes. */ }
}

/** Of this tab, over reloads. */
export const tabStorage = kept('sessionStorage');
/** Of all tabs, for good. */
export const browserStorage = kept('localStorage');
