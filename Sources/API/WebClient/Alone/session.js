// A client of one hosted view model, without a page: for browsers, Node and whatever else has `fetch`.

/** A refusal of the service (RFC 9457). */
export class Problem extends Error {
  constructor(response, body) {
    super(body.detail ?? body.title ?? `The service answered with status ${response.status}.`);
    this.name = 'Problem';
    this.status = response.status;
    this.type = body.type ?? 'about:blank';
    this.members = body;
    this.retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  }

  /** Whether the same request may succeed later. */
  get isPassing() { return [408, 429, 502, 503, 504, 507].includes(this.status); }
}

/** Seconds of silence after which a stream is opened anew: three heartbeats. */
const silence = 45;

const seconds = (attempt) => Math.min(8, 0.25 * 2 ** attempt);

/** Whether a request that failed so may be repeated: the service refused it for now, or there was no answer. */
const mayPass = (error) => !(error instanceof Problem) || error.isPassing;

const newKey = () => Array.from(
  crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'),
).join('');

class Session {
  #at;
  #fetch;
  #headers;
  #last = Promise.resolve();
  #observers = new Set();
  #closing = new AbortController();

  state;
  version = 0;
  connection = 'connecting';
  endReason;
  isOutdated = false;

  constructor(at, { token, headers, fetch = globalThis.fetch }) {
    this.#at = at.replace(/\/+$/, '');
    this.#fetch = fetch;
    this.#headers = { ...headers, ...token && { Authorization: `Bearer ${token}` } };
  }

  async open(viewModel, digest, { id, name, scope, parameters }) {
    const body = JSON.stringify({ viewModel, name, scope, parameters });
    await this.#persist(async () => {
      const response = id
        ? await this.#request('GET', `/sessions/${id}`)
        : await this.#request('POST', '/sessions', { 'Content-Type': 'application/json' }, { body });
      const snapshot = await response.json();
      this.id = snapshot.id;
      this.#take(snapshot);
    });
    this.#follow();
    this.#compare(viewModel, digest);
    return this;
  }

  /** Asks whether the service's view model is the one that this client was written for. */
  async #compare(viewModel, digest) {
    try {
      const description = await (await this.#request('GET', `/view-models/${viewModel}`)).json();
      this.isOutdated = description.digest !== digest;
      if (this.isOutdated) this.#tell();
    } catch {
      // What is not known is not outdated.
    }
  }

  send(input, { settled = false } = {}) {
    const [key, body] = [newKey(), JSON.stringify(input)];
    const sent = this.#last.then(() => this.#persist(() => this.#deliver(key, body, settled)));
    this.#last = sent.catch(() => {});
    return sent;
  }

  /** Sends an Input, with its key again and again, until it is applied and, on demand, settled. */
  async #deliver(key, body, settled) {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    if (settled) headers.Prefer = 'wait=25';
    for (;;) {
      const response = await this.#request('POST', `/sessions/${this.id}/inputs`, headers, { body });
      const snapshot = await response.json();
      this.#take(snapshot);
      if (response.status !== 202 && (!settled || snapshot.settled)) return;
    }
  }

  observe(observer) {
    this.#observers.add(observer);
    if (this.version) observer(this);
    return () => { this.#observers.delete(observer); };
  }

  close() { this.#closing.abort(); }

  async end() {
    try {
      await this.#persist(() => this.#request('DELETE', `/sessions/${this.id}`));
    } catch (error) {
      // The end on the stream may come before the answer, which is then not waited for.
      if (this.connection !== 'ended') throw error;
    }
    this.#end('deleted');
  }

  /** Calls a function until it succeeds, or fails for good. */
  async #persist(act) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await act();
      } catch (error) {
        if (this.#closing.signal.aborted || !mayPass(error)) throw error;
        await this.#pause(error.retryAfter ?? seconds(attempt));
      }
    }
  }

  async #request(method, path, headers, { body, signal = this.#closing.signal } = {}) {
    const all = { ...this.#headers, ...headers };
    const response = await this.#fetch(this.#at + path, { method, headers: all, body, signal });
    if (response.ok) return response;
    throw new Problem(response, await response.json().catch(() => ({})));
  }

  async #follow() {
    for (let attempt = 0; !this.#closing.signal.aborted; attempt += 1) {
      const connection = new AbortController();
      const close = () => connection.abort();
      this.#closing.signal.addEventListener('abort', close);
      try {
        for await (const event of this.#events(connection)) {
          attempt = 0;
          if (event?.event === 'end') return this.#end(event.reason);
          if (event) this.#take(event);
          this.#connect('live');
        }
      } catch (error) {
        if (!mayPass(error)) return this.#end(error.status === 410 ? 'ended' : error.message);
      } finally {
        connection.abort();
        this.#closing.signal.removeEventListener('abort', close);
      }
      if (this.#closing.signal.aborted) return;
      this.#connect('stale');
      await this.#pause(seconds(attempt));
    }
  }

  /** Yields the stream's events, and undefined for a heartbeat. */
  async *#events(connection) {
    let timer = setTimeout(() => connection.abort(), silence * 1000);
    try {
      const headers = { Accept: 'application/x-ndjson', 'Last-Event-ID': String(this.version) };
      const path = `/sessions/${this.id}/events`;
      const { body } = await this.#request('GET', path, headers, { signal: connection.signal });
      const decoder = new TextDecoder();
      let rest = '';
      // Its first event may be the version that is known already, and so not come.
      yield undefined;
      for (const reader = body.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => connection.abort(), silence * 1000);
        const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
        rest = lines.pop();
        for (const line of lines) yield line ? JSON.parse(line) : undefined;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits, or until the session is closed. */
  #pause(time) {
    const { signal } = this.#closing;
    return new Promise((done) => {
      const timer = setTimeout(end, time * 1000);
      function end() {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        done();
      }
      signal.addEventListener('abort', end);
    });
  }

  #take({ version, state }) {
    if (version <= this.version) return;
    this.version = version;
    this.state = state;
    this.#tell();
  }

  #connect(connection) {
    if (this.connection === connection || this.connection === 'ended') return;
    this.connection = connection;
    this.#tell();
  }

  #end(reason) {
    this.endReason = reason;
    this.#connect('ended');
    this.close();
  }

  #tell() { for (const observer of [...this.#observers]) observer(this); }
}

/** Opens a session of a view model; resolves once its State is known. */
export const open = (viewModel, digest, at, options = {}) =>
  new Session(at, options).open(viewModel, digest, options);
