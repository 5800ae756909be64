// Sends one request to the service: returns its response, or throws a Refusal that says what went wrong.

import { address, placeOf } from './address.js';
import { loadMore } from './more.js';
import { tabStorage } from './storage.js';

/** An error with the `problem` of the service (RFC 9457), null from anything else; `status` is 0 if no response came. */
export class Refusal extends Error {
  constructor(message, status = 0, problem = null, retryAfter = 0) {
    super(message);
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** The name of the faulty member of an Input or of parameters. */
  get member() { return this.problem?.member; }

  /** The last part of the problem's type, such as `queue-full`. */
  get type() { return this.problem?.type?.split('/').pop(); }

  /** Whether the service has the session, but its present version cannot read it, or has failed at it twice. */
  get isUnreadable() { return ['unreadable-session', 'session-set-aside'].includes(this.type); }

  /** Whether the session has never existed or has ended. */
  get isGone() { return this.problem !== null && [404, 410].includes(this.status) && !this.isUnreadable; }

  /** Whether the view model's rule refuses it; the message is the rule's sentence. */
  get isDenied() { return this.type === 'not-permitted'; }

  /** Whether the same request may succeed later; true also for a proxy's response. */
  get isPassing() {
    return this.status !== 413 && !this.problem || this.status === 429 || this.status > 500 || this.isUnreadable;
  }
}

export const unreachable = 'Not connected.';
export const strange = 'The service does not answer.';
export const unreadable = 'Your work is still there, but this version of the service cannot show it. It is tried again.';
const sentences = {
  413: 'It is too large.',
  500: 'The service has failed. Try again.',
};
/** Returns the seconds to wait before the next attempt; 0 if the response does not say. */
export const retryAfter = ({ headers }) => Number(headers.get('Retry-After')) || 0;

const fail = () => { throw new Refusal(unreachable); };

/** The key of the `Sender` mark of this tab's user: the service accepts the tab's requests from this user alone. */
export const senderPlace = placeOf('sender');

/**
 * Fetches from the service; throws a Refusal if it cannot be reached. If nobody or another user is signed in, the second module
 * decides. A request `isForAll` tabs is sent whoever uses this one. Calls `counted(1)` for each attempt, and `counted(-1)` after
 * one that the service has refused because nobody or another user is signed in.
 */
export async function fetched(path, signal, options) {
  const its = tabStorage.getItem(senderPlace);
  options.counted?.(1);
  const response = await fetch(address(path), {
    cache: 'no-store',
    ...options,
    headers: { ...options.headers, ...its && !options.isForAll && { 'If-Sender': its } },
    signal: signal(),
  }).catch(fail);
  const sender = response.headers.get('Sender') ?? its;
  if (!its && sender) tabStorage.setItem(senderPlace, sender);
  if (response.status !== 401 && (its ?? sender) === sender) return response;
  options.counted?.(-1);
  return (await loadMore()).renew?.(response, () => fetched(path, signal, options)) ?? fail();
}

/** Sends a request; resolves to `{body, version}`, the version being that of `ETag` or of the body. */
export async function request(method, path, { body, headers, timeout = 30_000, ...rest } = {}) {
  const type = body !== undefined && { 'Content-Type': 'application/json' };
  const response = await fetched(path, () => AbortSignal.timeout(timeout), { method, body, headers: { ...type, ...headers }, ...rest });
  const answer = parsed(await response.text().catch(fail));
  const { status } = response;
  if (response.ok && (answer || status === 204) || status === 304) {
    return { body: answer, version: Number(/\d+/.exec(response.headers.get('ETag'))) || answer?.version };
  }
  throw refusal(response, answer);
}

/** Returns the Refusal for a failed response, with a message for users; the console tells developers the details. */
export function refusal(response, answer) {
  const { status, headers } = response;
  const problem = headers.get('Content-Type')?.startsWith('application/problem+json') ? answer : null;
  const refused = new Refusal(strange, status, problem ?? null, retryAfter(response));
  if (problem) {
    refused.message = refused.isUnreadable ? unreadable : refused.isPassing ? 'The service is busy.'
      : refused.isGone ? 'This session is gone.' : /^not-permitted/.test(refused.type) ? problem.detail
        : sentences[status] ?? 'The service does not accept it.';
  }
  if (!refused.isGone) say(`${status}: ${problem ? problem.detail ?? problem.title : 'not an answer of the service'}`);
  return refused;
}

const said = new Set();

function say(advice) {
  if (!said.has(advice)) console.warn(advice);
  said.add(advice);
}

export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
