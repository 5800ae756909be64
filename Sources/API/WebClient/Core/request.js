// One request to the service: its answer, or a Refusal that says what went wrong.

import { loadMore } from './more.js';
import { keep, tabStorage } from './storage.js';

/** The service is where this module came from, also below a path of a proxy. */
const base = new URL('.', import.meta.url);
export const address = (path) => new URL(path, base).href;

/** The key of something that the browser keeps: of this service, as there may be several below paths of one origin. */
export const placeOf = (kind, name = '') => `uifusion.${kind}.${base.pathname.slice(1)}${name}`;

/** What the service refused (`problem`, RFC 9457), or `status` 0 when no answer of the service came. */
export class Refusal extends Error {
  constructor(message, status = 0, problem = null, retryAfter = 0) {
    super(message);
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** Which member of an Input or of parameters was wrong. */
  get member() { return this.problem?.member; }

  /** As in `/problems/queue-full`. */
  get type() { return this.problem?.type?.split('/').pop(); }

  /** The service has the session, and its present version cannot read it: another one can. */
  get isUnreadable() { return this.type === 'unreadable-session'; }

  /** The session never was, or has ended. */
  get isGone() { return this.problem !== null && [404, 410].includes(this.status) && !this.isUnreadable; }

  /** The same request may well succeed later: also what no service of ours answered, but something in between. */
  get isPassing() {
    return this.status !== 413 && !this.problem || this.status === 429 || this.status > 500 || this.isUnreadable;
  }
}

export const unreachable = 'The service cannot be reached.';
export const strange = 'The service does not answer.';
export const unreadable = 'Your work is still there, but this version of the service cannot show it. It is tried again.';
const sentences = {
  404: 'This session is gone.',
  410: 'This session is gone.',
  413: 'It is too large.',
  500: 'The service has failed. Try again.',
};
/** After how many seconds to come back; 0 where the service does not say. */
export const retryAfter = ({ headers }) => Number(headers.get('Retry-After')) || 0;

const fail = () => { throw new Refusal(unreachable); };

/** What the service has in place of the one who uses this tab: what the tab sends is taken as his alone. */
export const senderPlace = placeOf('sender');

/**
 * Of the service; a Refusal where it cannot be reached. Where nobody is signed in, or somebody else than before, the rest
 * of the client decides; what `isForAll` tabs is sent whoever uses this one. `counted(change)` is told 1 of each attempt, and -1
 * of one that was answered and not taken, as nobody was signed in, or somebody else.
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
  if (!its && sender) keep(tabStorage, senderPlace, sender);
  if (response.status !== 401 && (its ?? sender) === sender) return response;
  options.counted?.(-1);
  return (await loadMore()).renew?.(response, () => fetched(path, signal, options)) ?? fail();
}

/** Answers `{body, version}`, where the version is what `ETag` says. */
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

/** Of an answer that is none of those that were hoped for. Developers are told in the console, users by the message. */
export function refusal(response, answer) {
  const { status, headers } = response;
  const problem = headers.get('Content-Type')?.startsWith('application/problem+json') ? answer : null;
  const refused = new Refusal(strange, status, problem ?? null, retryAfter(response));
  if (problem) {
    refused.message = refused.isUnreadable ? unreadable : refused.isPassing ? 'The service is busy.'
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
