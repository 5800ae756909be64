// Tells when the session has settled after an Input, and its State is shown.

import { versionOf } from './service.js';

/**
 * Returns a function to call after each Input. It calls `told` once the session has settled, and the version `shown()` is as new
 * as the service's.
 */
export function settling(session, shown, told) {
  let [asked, isAsking] = [0, false];

  /** Waits for the stream, which a response may have overtaken. */
  async function caughtUp() {
    const version = await versionOf(session.id);
    while (shown() < version && session.connection !== 'ended') {
      await new Promise((changed) => {
        for (const type of ['state', 'connection']) session.addEventListener(type, changed, { once: true });
      });
    }
  }

  return async () => {
    asked += 1;
    if (isAsking) return;
    isAsking = true;
    let isSettled, last;
    do {
      last = asked;
      isSettled = await session.settled();
      await caughtUp();
    } while (asked !== last);
    isAsking = false;
    if (isSettled) told();
  };
}
