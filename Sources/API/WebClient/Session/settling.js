// Waits until a session has settled.

import { request } from '../Service/request.js';

/** Asks the service until the session has settled, or the time is up. Resolves to whether it has settled. */
export async function settled(session, seconds) {
  for (const end = performance.now() + seconds * 1000; performance.now() < end && session.connection !== 'ended';) {
    if (session.id && !session.waiting.length) {
      const { body } = await request('GET', `sessions/${session.id}`).catch(() => ({}));
      if (body?.settled) return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}
