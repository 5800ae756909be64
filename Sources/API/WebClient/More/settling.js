// When a session is at rest.

import { request } from '../Core/request.js';

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
