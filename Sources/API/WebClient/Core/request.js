// One request to the service: its answer, or a Refusal that says what went wrong.

/** The service is where this module came from, also below a path of a proxy. */
export const address = (path) => new URL(path, new URL('.', import.meta.url)).href;

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

  /** The session never was, or has ended. */
  get isGone() { return this.problem !== null && [404, 410].includes(this.status); }

  /** The same request may well succeed later: also what no service of ours answered, but something in between. */
  get isPassing() {
    return this.status !== 413 && !this.problem || this.status === 429 || this.status > 500;
  }
}

export const unreachable = 'The service cannot be reached.';
export const strange = 'Not an answer of the service';
const seconds = (response) => Number(response.headers.get('Retry-After')) || 0;

/** Answers `{body, version}`, where the version is what `ETag` says. */
export async function request(method, path, { body, headers, timeout = 30_000, ...rest } = {}) {
  const options = { method, cache: 'no-store', signal: AbortSignal.timeout(timeout), headers: { ...headers }, ...rest };
  if (body !== undefined) {
    options.headers['Content-Type'] = 'application/json';
    options.body = body;
  }
  let response, text;
  try {
    response = await fetch(address(path), options);
    text = await response.text();
  } catch {
    throw new Refusal(unreachable);
  }
  const { status } = response;
  const answer = parsed(text);
  if (response.ok && (answer || status === 204) || status === 304) {
    return { body: answer, version: Number(/\d+/.exec(response.headers.get('ETag'))) || answer?.version };
  }
  throw refusal(response, answer);
}

/** Of an answer that is none of those that were hoped for. */
export function refusal(response, answer) {
  const isOurs = response.headers.get('Content-Type')?.startsWith('application/problem+json') && answer;
  return isOurs
    ? new Refusal(answer.detail ?? answer.title, response.status, answer, seconds(response))
    : new Refusal(`${strange} (${response.status}).`, response.status, null, seconds(response));
}

export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
