// One stream for all tabs of a browser: one tab leads and has it, and tells the others what comes.

import { Leader } from './leader.js';
import { address, request } from './request.js';
import { identify, letGo, locks } from './tab.js';

const name = `uifusion ${address('')}`;
/** A tab that is seen asks the leader so often whether it is there; one silence is enough. */
const beat = 2_000;

/**
 * A browser allows six connections to a service, and a stream takes one for good. So the tab that holds a lock
 * leads; the lock of one that is closed or crashes goes to the next, and one that does not answer loses it.
 *
 * A follower has `event(event)`, `gone()` and `connectionChanged()`; `catchUp(version)` is called where it may have
 * missed something.
 */
class SharedStream {
  /** Resolves once it is known whether this tab leads. */
  ready;

  #tab;
  #followers = new Map(); // by the id of its session
  #leader = null;
  #resign = () => {};
  #bid = new AbortController();
  #channel = null;
  #versions = null; // what the leader's stream has sent; null while it is not live
  #unreadable = [];
  #known = {}; // what this tab has heard of all sessions, until #position
  #position = '';
  #unanswered = 0;
  #isAsleep = true; // or not awake yet

  constructor() {
    this.ready = this.#enter();
    setInterval(() => this.#ping(), beat);
    for (const change of ['online', 'offline', 'visibilitychange', 'resume']) {
      addEventListener(change, () => this.check(), true); // the last two are the document's
    }
    addEventListener('pagehide', () => this.#leave());
    addEventListener('pageshow', ({ persisted }) => { if (persisted) this.ready = this.#enter(); });
  }

  get isLeading() { return this.#leader !== null; }

  isLive(id) { return this.#versions !== null && id in this.#versions; }

  isUnreadable(id) { return this.#unreadable.includes(id); }

  join(id, follower) {
    this.#followers.set(id, follower);
    this.#follow(id);
  }

  /** Creates a session: by the request that opens the stream, if this tab leads and has none yet. */
  async create(body) {
    return await this.#leader?.create(this.#tab, body) ?? (await request('POST', 'sessions', { body })).body;
  }

  part(id) {
    this.#followers.delete(id);
    this.#follow();
  }

  /** The page has slept, or the network has changed. */
  check() {
    if (this.#isAsleep) return;
    if (this.#leader) this.#leader.check();
    else this.#ping();
    for (const follower of this.#followers.values()) follower.connectionChanged();
  }

  // MARK: Who leads

  async #enter() {
    this.#tab = await identify();
    this.#isAsleep = false;
    if (!locks) {
      this.#lead();
      return;
    }
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }) => {
      // One that led before and has not noticed yet that it no longer does.
      const isStray = this.isLeading && ['live', 'stale', 'here'].includes(data.type);
      if (!isStray) this.#hear(data);
    };
    await new Promise((decided) => {
      this.#hold({ ifAvailable: true }, decided);
    });
    this.#follow();
  }

  /** Leads for as long as it has the lock; then waits for it like all others. */
  async #hold(options, decided = () => {}) {
    this.#bid.abort();
    this.#bid = new AbortController();
    const { signal } = this.#bid;
    try {
      await locks.request(name, options ?? { signal }, (lock) => {
        const term = lock && this.#lead();
        decided();
        return term;
      });
    } catch { /* Another tab has taken the lock, or this one no longer wants it. */ }
    if (this.#isAsleep || signal.aborted) return;
    this.#stepDown();
    this.#hold(null);
    this.#follow();
  }

  #lead() {
    this.#unanswered = 0;
    this.#leader = new Leader(this.#position, { ...this.#known }, (message) => {
      this.#channel?.postMessage(message);
      this.#hear(message);
    });
    this.#follow();
    this.#channel?.postMessage({ type: 'hello' });
    return new Promise((end) => { this.#resign = end; });
  }

  #stepDown() {
    this.#leader?.stop();
    this.#leader = null;
  }

  #leave() {
    this.#isAsleep = true;
    this.#channel?.postMessage({ type: 'follow', tab: this.#tab, ids: [] });
    this.#stepDown();
    this.#bid.abort();
    this.#resign();
    this.#channel?.close();
    letGo();
    this.#setVersions(null);
  }

  #ping() {
    if (this.#isAsleep || this.isLeading || !this.#channel || document.hidden || !this.#followers.size) return;
    if (this.#unanswered++ < 1) {
      this.#channel.postMessage({ type: 'ping' });
    } else {
      this.#unanswered = 0;
      this.#hold({ steal: true });
    }
  }

  // MARK: What is said

  /** With the `id` of the session that the tab has just joined, if it has. */
  #follow(id) {
    if (this.#isAsleep) return;
    const message = { type: 'follow', tab: this.#tab, ids: [...this.#followers.keys()], id };
    if (this.#leader) this.#hear(message);
    else this.#channel?.postMessage(message);
  }

  #hear(message) {
    switch (message.type) {
      case 'hello': return this.#follow();
      case 'ping': return this.#leader?.report();
      case 'follow': return this.#leader?.follow(message.tab, message.ids, message.id);
    }
    this.#unanswered = 0;
    this.#unreadable = message.unreadable ?? this.#unreadable;
    switch (message.type) {
      case 'live': return this.#setVersions(message.versions);
      case 'stale': return this.#setVersions(null);
      case 'gone': return this.#followers.get(message.id)?.gone();
      case 'event':
        return this.#event(message.event);
    }
  }

  #event(event) {
    const { id, session, version } = event;
    if (id) this.#position = id;
    if (version) {
      this.#known[session] = version;
      if (this.#versions) this.#versions[session] = version;
    }
    this.#followers.get(session)?.event(event);
  }

  #setVersions(versions) {
    this.#versions = versions;
    for (const [id, follower] of this.#followers) {
      follower.connectionChanged();
      if (versions?.[id]) follower.catchUp(versions[id]);
    }
  }
}

let shared;

/** The page's part in it. */
export const sharedStream = () => shared ??= new SharedStream();
