// One JSON request to the service: answers its body, or throws a Problem that says what went wrong.

/** What the service refused (RFC 9457), or `status` 0 when no answer came at all. */
export class Problem extends Error {
  constructor(status, detail, retryAfter = 0) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter; // seconds
  }

  /** The session never was, or has ended. */
  get isGone() { return this.status === 404 || this.status === 410; }

  /** The same request may well succeed later. */
  get isPassing() { return this.status === 0 || this.status === 429 || this.status >= 500; }
}

export async function request(method, path, { body, headers } = {}) {
  const options = { method, cache: 'no-store', signal: AbortSignal.timeout(15_000), headers: { ...headers } };
  if (body !== undefined) {
    options.headers['Content-Type'] = 'application/json';
    options.body = JSON.stringify(body);
  }
  let response, answer;
  try {
    response = await fetch(path, options);
    answer = await response.text();
  } catch {
    throw new Problem(0, 'The service cannot be reached.');
  }
  try {
    answer = JSON.parse(answer);
  } catch {
    throw new Problem(response.status, `The service gave an answer that is not JSON (${response.status}).`);
  }
  if (response.ok) return answer;
  throw new Problem(response.status, answer.detail ?? answer.title, Number(response.headers.get('Retry-After')) || 0);
}
