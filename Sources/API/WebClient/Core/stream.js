// One stream of several sessions, as lines of JSON.

import { Refusal, address, parsed, refusal, unreachable } from './request.js';

/** The stream can carry so many sessions. */
export const sessionsPerStream = 64;

/**
 * Reads until the stream is over, and answers after how many seconds to come back.
 *
 * `opened()` is called once the service has accepted it, `event(…)` for each event, `heard()` for every sign of life.
 * Throws a Refusal where there is no stream, or where it broke off.
 */
export async function readStream(ids, position, signal, { opened, event, heard }) {
  const query = new URLSearchParams([...ids.map((id) => ['session', id]), ['format', 'patch']]);
  if (position) query.set('after', position);
  let response;
  try {
    response = await fetch(address(`events?${query}`), { headers: { Accept: 'application/x-ndjson' }, cache: 'no-store', signal });
  } catch {
    throw new Refusal(unreachable);
  }
  const isStream = response.headers.get('Content-Type')?.startsWith('application/x-ndjson');
  if (!response.ok || !isStream) throw refusal(response, parsed(await response.text().catch(() => '')));
  const retryAfter = Number(response.headers.get('Retry-After')) || 0;
  if (!retryAfter) opened();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    let part;
    try {
      part = await reader.read();
    } catch {
      throw new Refusal(unreachable);
    }
    if (part.done) return retryAfter;
    heard();
    const lines = (rest + part.value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (line) event(JSON.parse(line));
    }
  }
}
