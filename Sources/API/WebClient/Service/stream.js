// One stream of several sessions, as lines of JSON.

import { Refusal, fetched, parsed, refusal, retryAfter, unreachable } from './request.js';

/** The most sessions that one stream can carry. */
export const sessionsPerStream = 64;

/** Returns the request for the stream of sessions, from a position on. */
export function following(ids, position) {
  const query = new URLSearchParams([...ids.map((id) => ['session', id]), ['format', 'patch']]);
  if (position) query.set('after', position);
  return [`events?${query}`];
}

/** Returns the request that creates a session and opens its stream. */
export const creation = (body) => ['sessions?format=patch', { method: 'POST', body, type: 'application/json' }];

/**
 * Reads a stream to its end; resolves to the seconds to wait before opening the next one.
 *
 * Calls `opened()` once the service has accepted the request, `event(…)` for each event, `heard()` whenever bytes arrive.
 * Throws a Refusal if there is no stream, or if it breaks off. If the service creates a session without opening a stream, the
 * session's State is passed on as an event.
 */
export async function readStream([path, { method, body, type } = {}], signal, { opened, event, heard }) {
  const headers = { Accept: 'application/x-ndjson', ...type && { 'Content-Type': type } };
  const response = await fetched(path, () => signal, { method, body, headers, isForAll: true });
  const isStream = response.headers.get('Content-Type')?.startsWith('application/x-ndjson');
  if (!response.ok || !isStream) {
    const answer = parsed(await response.text().catch(() => ''));
    if (!response.ok || !answer?.id) throw refusal(response, answer);
    event({ event: 'state', session: answer.id, version: answer.version, state: answer.state });
    return 0;
  }
  const pause = retryAfter(response);
  if (!pause) opened();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    let part;
    try {
      part = await reader.read();
    } catch {
      throw new Refusal(unreachable);
    }
    if (part.done) return pause;
    heard();
    const lines = (rest + part.value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (line) event(JSON.parse(line));
    }
  }
}
