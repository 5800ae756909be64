// The client that every page uses: one session of a view model, found again after a reload, driven by
// Inputs, followed by its stream.

import { request } from './http.js';

/**
 * Events:
 * - `state`: `state` and `version` are newer than before
 * - `pulse`: a Pulse of State was assigned anew; `detail` is `{name, value}`
 * - `status`: `status` changed, to `connecting`, `live`, `reconnecting`, `offline` or `ended`
 * - `problem`: `detail` is a sentence for the user, or `""` once the problem is over
 */
export class Session extends EventTarget {
  id = null;
  version = 0;
  state = null;
  status = 'connecting';
  endReason = '';

  #viewModel;
  #stream = null;
  #isConnecting = false;
  #failures = 0;
  #retryTimer;
  #problem = '';
  #rejection = '';
  #lastSend = Promise.resolve();

  constructor(viewModel) {
    super();
    this.#viewModel = viewModel;
  }

  /** Finds this page's session, or makes one, and follows it from then on. Listen before you call it. */
  open() {
    // When the network changes, or the page returns from the back/forward cache, a stream may be dead
    // without knowing it. A service on this very machine stays reachable even offline: so just try.
    for (const change of ['online', 'offline']) addEventListener(change, () => this.#connect());
    addEventListener('pagehide', () => this.#stream?.close());
    addEventListener('pageshow', (event) => { if (event.persisted) this.#connect(); });
    addEventListener('hashchange', () => { if (idInFragment() && idInFragment() !== this.id) location.reload(); });
    this.#connect();
  }

  /** Leaves an ended session for a new one. */
  restart() {
    this.id = null;
    this.version = 0;
    this.state = null;
    this.#setStatus('connecting');
    this.#report('');
    this.#connect({ afresh: true });
  }

  /** Sends an Input; Inputs leave in order, one at a time. Resolves to whether it was processed. */
  send(input) {
    const { id } = this;
    this.#lastSend = this.#lastSend.then(() => this.#post(id, input));
    return this.#lastSend;
  }

  async #post(id, input) {
    // The key lets us repeat the request when its answer was lost: the service applies it only once.
    const headers = { 'Idempotency-Key': randomKey() };
    for (const pause of [0.5, 1, 2, 4, null]) {
      if (id !== this.id || this.status === 'ended') return false;
      try {
        const snapshot = await request('POST', sessionPath(id, '/inputs'), { body: input, headers });
        if (id === this.id) this.#apply(snapshot);
        this.#report('');
        return true;
      } catch (problem) {
        if (id !== this.id) return false;
        if (problem.isGone) {
          this.#end('This session is no longer there.');
          return false;
        }
        const willRetry = problem.isPassing && pause !== null;
        this.#report(willRetry ? `${problem.message} Trying again…` : reasonToStop(problem));
        if (!willRetry) return false;
        await sleep(Math.max(pause, problem.retryAfter));
      }
    }
  }

  // MARK: Connecting

  async #connect({ afresh = false } = {}) {
    if (this.#isConnecting || this.status === 'ended') return;
    this.#isConnecting = true;
    clearTimeout(this.#retryTimer);
    this.#stream?.close();
    try {
      const session = await (this.id ? this.#read(this.id) : this.#findOrMake(afresh));
      if (this.status === 'ended') return;
      this.id = session.id;
      if (this.#problem === this.#rejection) this.#report('');
      this.#apply(session);
      this.#follow();
    } catch (problem) {
      // A service that is away needs no more words than the status has; one that refuses has a reason.
      if (problem.isPassing && problem.status !== 0) this.#report(this.#rejection = problem.message);
      if (problem.isPassing) this.#connectLater(problem.retryAfter, afresh);
      else this.#end(problem.isGone ? 'This session is no longer there.' : problem.message);
    } finally {
      this.#isConnecting = false;
    }
  }

  #connectLater(retryAfter, afresh = false) {
    this.#setStatus(navigator.onLine ? 'reconnecting' : 'offline');
    const backoff = Math.min(2 ** this.#failures++, 15) * (0.5 + Math.random() / 2);
    const pause = Math.max(backoff, retryAfter);
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#connect({ afresh }), pause * 1000);
  }

  /** The session that the URL's fragment names, else the one that this browser had last, else a new one. */
  async #findOrMake(afresh) {
    const known = afresh ? null : idInFragment() ?? localStorage.getItem(this.#storageKey);
    if (known) {
      try {
        const session = await this.#read(known);
        if (session.viewModel === this.#viewModel) return session;
      } catch (problem) {
        if (!problem.isGone) throw problem;
      }
    }
    const session = await request('POST', '/sessions', { body: { viewModel: this.#viewModel } });
    const lost = idInFragment() ? 'The session of this link' : 'Your last session here';
    if (known) this.#report(`${lost} is no longer there; this is a new one.`);
    if (idInFragment()) history.replaceState(null, '', `#session=${session.id}`);
    else localStorage.setItem(this.#storageKey, session.id);
    return session;
  }

  #read(id) { return request('GET', sessionPath(id)); }

  /** The stream reconnects by itself, and resumes; only when it gives up do we ask what became of the session. */
  #follow() {
    const stream = new EventSource(sessionPath(this.id, `/events?after=${this.version}`));
    this.#stream = stream;
    stream.addEventListener('open', () => {
      this.#failures = 0;
      this.#setStatus('live');
    });
    stream.addEventListener('state', (event) => this.#apply(JSON.parse(event.data)));
    stream.addEventListener('end', (event) => {
      const { reason } = JSON.parse(event.data);
      this.#end(reason === 'expired' ? 'This session has expired.' : 'This session has been deleted.');
    });
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) this.#connectLater(0);
      else this.#setStatus(navigator.onLine ? 'reconnecting' : 'offline');
    });
  }

  #end(reason) {
    this.#stream?.close();
    this.endReason = reason;
    this.#report('');
    this.#setStatus('ended');
  }

  // MARK: Snapshots

  /** Answers and stream may overtake each other: only what is newer counts. */
  #apply({ version, state }) {
    if (version <= this.version) return;
    this.version = version;
    this.state = state;
    this.#emit('state');
    for (const [name, field] of Object.entries(state)) {
      if (Number.isInteger(field?.pulse)) this.#notice(name, field);
    }
  }

  /** Acts when the count has grown since this tab last saw it, across reloads; the first one seen is only remembered. */
  #notice(name, { value, pulse }) {
    const key = `uifusion.pulse.${this.id}.${name}`;
    const seen = sessionStorage.getItem(key);
    sessionStorage.setItem(key, pulse);
    if (seen !== null && pulse > Number(seen)) this.#emit('pulse', { name, value });
  }

  // MARK: Small things

  get #storageKey() { return `uifusion.session.${this.#viewModel}`; }

  #setStatus(status) {
    if (status === this.status) return;
    this.status = status;
    this.#emit('status');
  }

  #report(sentence) {
    this.#problem = sentence;
    this.#emit('problem', sentence);
  }

  #emit(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}

// Why we stop sending an Input. One that got no answer, or a doubtful one, may have been applied all the same.
function reasonToStop(problem) {
  if (!problem.isPassing) return `Not sent: ${problem.message}`;
  const advice = problem.status === 0 ? 'no answer came. Send it again if it does not show.' : problem.message;
  return `Not confirmed: ${advice}`;
}

const idInFragment = () => new URLSearchParams(location.hash.slice(1)).get('session') || null;
const sessionPath = (id, rest = '') => `/sessions/${encodeURIComponent(id)}${rest}`;
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
