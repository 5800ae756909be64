// What is told of a session to those who watch it.

import { valueAt } from './paths.js';
import { request } from './request.js';

/** Calls now, if there is a State, and whenever what is there changes. Returns a function that ends it. */
export function observe(session, path, callback) {
  let known;
  let isKnown = false;
  const look = () => {
    const value = valueAt(session.state, path);
    if (session.state === null || isKnown && value === known) return;
    const before = known;
    [known, isKnown] = [value, true];
    callback(value, before);
  };
  session.addEventListener('state', look);
  look();
  return () => session.removeEventListener('state', look);
}

/** Asks until nothing is at work any more, or the time is up; answers which. */
export async function settled(session, seconds) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end && session.connection !== 'ended';) {
    if (session.id && !session.waiting.length) {
      const { body } = await request('GET', `sessions/${session.id}`).catch(() => ({}));
      if (body?.settled) return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}
