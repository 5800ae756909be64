// A session of a view model: its State, and the Inputs that are sent to it.

import { later, loadMore } from '../Service/more.js';
import { Refusal, request, unreadable } from '../Service/request.js';
import { tabStorage } from '../Service/storage.js';
import { Pause, backoff, oncePerFrame } from '../Service/timing.js';
import { addressed, embedded, findOrMake, stored } from './opening.js';
import { Outbox } from './outbox.js';
import { pageStream } from './page-stream.js';
import { merged, patched } from './patch.js';
import { valueAt } from './paths.js';
import { PulseWatch } from './pulses.js';

const endings = { deleted: 'This session was deleted.', expired: 'This session has expired.' };

/**
 * Events: `state` (at most once in a frame, for the newest State), `connection`, `queue` (what waits, was given up, or
 * `notice` changed), and `flush`, before an Input is sent and when the page goes away.
 */
export class Session extends EventTarget {
  id = null;
  version = 0;
  state = null;
  /** `connecting`, `live`, `stale`, `offline` or `ended`. */
  connection = 'connecting';
  /** Why the session has ended, as a sentence. */
  endReason = '';
  /** How the session was found, as a sentence for the user; empty once it is dismissed. */
  notice = '';

  #queue;
  #wish; // the session that the page asks for
  #pause = new Pause();
  #trouble = ''; // why the session cannot be opened
  #pulses = new PulseWatch();
  #awaited = []; // {version, resolve, reject}
  #newest = 0; // the newest version known to exist
  #isReading = false;
  #wasLive = false;
  #isOpen = false;
  #users = 0;
  #isFlushing = false;
  #show = oncePerFrame(() => this.#shown());

  constructor(viewModel, name, parameters, isShared) {
    super();
    pageStream(); // before the queue, which is taken over after it
    this.viewModel = viewModel;
    this.name = name;
    this.isShared = isShared;
    this.#wish = { viewModel, ...name && { name, scope: isShared ? 'shared' : 'identity' }, parameters };
    const wiring = {
      storage: tabStorage,
      changed: () => this.#emit('queue'),
      gone: () => this.#gone(),
      isOffline: () => this.connection === 'offline',
    };
    this.#queue = new Outbox(wiring);
    later('takeQueue', (Queue) => {
      this.#queue = new Queue(wiring, this.#queue.handOver());
      if (this.#isOpen) this.#queue.start(this.id);
      this.#emit('queue');
    });
    addEventListener('online', () => this.#poke());
    addEventListener('pagehide', () => {
      this.#flush();
      this.#queue.leave();
    });
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted && this.#isOpen) this.#queue.start(this.id);
      this.#poke();
    });
    this.#open();
  }

  /** Inputs without a response, oldest first. */
  get waiting() { return this.#queue.waiting; }
  /** How many Inputs may wait. */
  get limit() { return 256; } // see queue.js
  /** Inputs that will not be sent, until they are dismissed. */
  get givenUp() { return this.#queue.givenUp; }
  /** Why the service does not respond, as a sentence; empty while all is well. */
  get trouble() { return this.#queue.trouble || this.#trouble; }
  /** Whether State is a new session's first one, shown until the session exists. */
  get isPreview() { return this.state !== null && this.version === 0; }

  /** Sends an Input. Resolves to the version that contains it, once `state` is that new. Secrets are neither stored nor shown. */
  send(input, { words, replaces, isSecret } = {}) {
    this.#flush();
    const sent = this.connection === 'ended'
      ? Promise.reject(new Refusal(this.endReason))
      : this.#queue.add(input, { words, replaces, isSecret }).then((version) => this.#reached(version));
    sent.catch(() => {}); // callers may read `givenUp` instead
    return sent;
  }

  /** How many Inputs State does not contain yet. */
  get unshown() { return this.waiting.length + this.#awaited.length; }

  /** Calls back now, if there is a State, and whenever the value at the path changes. Returns a function that ends that. */
  observe(path, callback) {
    let known;
    let isKnown = false;
    const look = () => {
      const value = valueAt(this.state, path);
      if (this.state === null || isKnown && value === known) return;
      const before = known;
      [known, isKnown] = [value, true];
      callback(value, before);
    };
    this.addEventListener('state', look);
    look();
    return () => this.removeEventListener('state', look);
  }

  /** Calls back once for each assignment of a Pulse, even over reloads and lost connections. */
  pulse(path, callback) {
    const stop = this.#pulses.add(path, callback);
    if (this.version) this.#pulses.look(this);
    return stop;
  }

  /** Resolves to whether the session has settled before the timeout, in seconds. */
  async settled({ timeout = 60 } = {}) { return (await loadMore()).settled?.(this, timeout) ?? false; }

  /** Whether a waiting Input was sent, and so may have arrived. */
  isSent(entry) { return this.#queue.isSent(entry); }

  /** Withdraws a waiting Input, unless it was sent. */
  withdraw(entry) { later('act', () => this.#queue.withdraw(entry)); }

  dismiss(entry) { later('act', () => this.#queue.dismiss(entry)); }

  dismissNotice() {
    this.notice = '';
    this.#emit('queue');
  }

  /** Leaves an ended session for a new one. */
  restart() {
    if (this.connection !== 'ended') return;
    const last = this.id;
    this.#reset();
    this.#open({ last });
  }

  /** Follows the session for an element or a script. Returns a function that ends that. */
  join() {
    if (!this.#users++ && this.#isOpen) this.#follow();
    return () => {
      if (--this.#users || !this.#isOpen) return;
      this.#stream.part(this.id);
      this.#refresh();
    };
  }

  /** Ends the session, for everybody. */
  async close() {
    try {
      if (this.id) await request('DELETE', `sessions/${this.id}`);
    } catch (refusal) {
      if (!refusal.isGone) throw refusal;
    }
    this.#end(endings.deleted);
  }

  // MARK: Opening

  async #open({ last } = {}) {
    let first = last === undefined && !this.name ? embedded() : null;
    if (first?.viewModel !== this.viewModel) first = null;
    if (first?.id) {
      this.id = first.id;
      this.#apply(first);
    } else if (first && !this.#wish.parameters && !addressed() && !stored(this.#wish)) {
      this.state = first.state;
    }
    await this.#stream.ready;
    for (let failures = 0;;) {
      try {
        return this.#begin(first?.id ? first : await findOrMake(this.#wish, last));
      } catch (refusal) {
        // A node of an earlier build does not know the scope: the next attempt may reach another one.
        if (!refusal.isPassing && refusal.status < 500 && !/^(scope|session)$/.test(refusal.member)) return this.#end(refusal.message);
        this.#setTrouble(refusal.message);
        await this.#pause.wait(backoff(failures++, refusal.retryAfter));
      }
    }
  }

  #begin(found) {
    this.#setTrouble('');
    this.id = found.id;
    if (found.linkIsGone) this.notice = 'The session of this link is gone; this is another one.';
    if (found.version) this.#apply(found);
    if (this.#users) this.#follow();
    this.#isOpen = true;
    this.#queue.start(this.id);
    this.#refresh();
    // This tab's stream begins with the State; another tab's may have brought it before this session joined.
    if (!this.version && !this.#stream.isLeading) this.#read();
  }

  #follow() {
    const { id } = this;
    this.#stream.join(id, {
      event: (event) => this.#event(event),
      // The session may exist for this tab's user, but not for the user who opened the stream.
      gone: async () => {
        const answer = await request('GET', `sessions/${id}`).catch((refusal) => refusal);
        if (id === this.id && this.#isOpen && !this.#lost(answer)) this.#follow();
      },
      connectionChanged: () => this.#refresh(),
      catchUp: (version) => this.#expect(version),
    });
  }

  #reset() {
    Object.assign(this, { id: null, version: 0, state: null, endReason: '', notice: '' });
    this.#newest = 0;
    this.#setConnection('connecting');
  }

  #gone(reason = 'This session is gone.') {
    // A session that this page never showed ended while the browser was away: a new one takes its place.
    if (this.version) return this.#end(reason);
    const { id: last, notice } = this;
    this.#leave(reason);
    this.#reset();
    this.notice = notice || 'Your last session here is gone; this is another one.';
    this.#open({ last });
  }

  /** Ends the session if a refusal says that this user has it no more; returns whether it does. */
  #lost({ isGone, isDenied, message }) {
    if (isDenied) this.#end(message);
    else if (isGone) this.#gone();
    return isGone || isDenied;
  }

  #end(reason) {
    this.endReason = reason;
    this.#leave(reason);
    this.#setConnection('ended');
  }

  #leave(reason) {
    if (this.id) this.#stream.part(this.id);
    this.#isOpen = false;
    this.#queue.end(reason);
    for (const { reject } of this.#awaited.splice(0)) reject(new Refusal(reason));
  }

  // MARK: States

  #event({ event, version, from, state, patch, reason }) {
    if (event === 'end') return this.#gone(endings[reason] ?? 'This session has ended.');
    if (event === 'state') {
      if (version < this.version) this.#read();
      return this.#apply({ version, state });
    }
    if (version <= this.version) return;
    if (from !== this.version) return this.#read(version);
    try {
      this.#apply({ version, state: patched(this.state, patch) });
    } catch {
      this.#read(version);
    }
  }

  /**
   * Takes over a newer State; responses and events may overtake each other. If a State that was read is older than that `shown`
   * when the request was sent, the service has lost the later ones and goes on from this one.
   */
  #apply({ version, state }, shown = 0) {
    if (version < shown) this.#newest = version;
    else if (!(version > this.version)) return;
    this.version = version;
    this.state = merged(this.state, state);
    this.#refresh();
    this.#show();
    this.#pulses.look(this);
  }

  #shown() {
    this.#awaited = this.#awaited.filter(({ version, resolve }) => version > this.version || resolve(version));
    this.#emit('state');
  }

  /** Resolves once a State of that version is shown. */
  #reached(version) {
    return new Promise((resolve, reject) => {
      this.#awaited.push({ version, resolve, reject });
      this.#expect(version);
      if (version <= this.version) this.#show();
    });
  }

  /** Reads the session if the stream does not bring a version within a second. */
  #expect(version) {
    this.#newest = Math.max(this.#newest, version);
    if (version > this.version) setTimeout(() => { if (version > this.version) this.#read(); }, 1000);
  }

  async #read(version = 0) {
    this.#newest = Math.max(this.#newest, version);
    if (this.#isReading) return;
    this.#isReading = true;
    const { id, version: shown } = this;
    try {
      const { body } = await request('GET', `sessions/${id}`);
      if (id === this.id) this.#apply(body, shown);
      if (this.version < this.#newest || !this.version) this.#expect(this.#newest || 1);
    } catch (refusal) {
      // A passing failure is retried when a version is expected, or when the stream is live again.
      if (id === this.id) this.#lost(refusal);
    }
    this.#isReading = false;
  }

  // MARK: Connection

  #refresh() {
    if (this.connection === 'ended') return;
    if (this.#isOpen) this.#setTrouble(this.#stream.isUnreadable(this.id) ? unreadable : '');
    const isLive = this.version > 0 && this.#users > 0 && this.#stream.isLive(this.id);
    if (isLive && this.connection !== 'live') this.#poke();
    if (isLive && this.version < this.#newest) this.#read();
    this.#wasLive ||= isLive;
    this.#setConnection(isLive ? 'live' : !navigator.onLine ? 'offline' : this.#wasLive ? 'stale' : 'connecting');
  }

  #setConnection(connection) {
    if (connection === this.connection) return;
    this.connection = connection;
    this.#emit('connection');
  }

  #setTrouble(sentence) {
    if (sentence === this.#trouble) return;
    this.#trouble = sentence;
    this.#emit('queue');
  }

  #poke() {
    this.#queue.poke();
    this.#pause.end();
  }

  #flush() {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#emit('flush');
    this.#isFlushing = false;
  }

  get #stream() { return pageStream(); }

  #emit(type) { this.dispatchEvent(new Event(type)); }
}
