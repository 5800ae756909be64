// When all is quiet again after an Input, and seen to be.

import { versionOf } from './service.js';

/**
 * Answers a function to call after each Input: then `told` is called once nothing is at work any more, and `shown()`,
 * a version, is as new as the service's.
 */
export function settling(session, shown, told) {
  let [asked, isAsking] = [0, false];

  /** An answer may overtake the stream. */
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
