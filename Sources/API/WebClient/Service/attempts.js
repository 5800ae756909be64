// Calls that a browser may refuse at any time: those of its storage, caches, locks, channels and workers, in a private window, in a
// sandbox, or when its disk is full. The page works on without what is refused.

/** Returns what a call returns, or a promise of what it resolves to; undefined if it fails. */
export function attempt(act) {
  try {
    const result = act();
    return result?.catch?.(() => undefined) ?? result;
  } catch {
    return undefined;
  }
}
