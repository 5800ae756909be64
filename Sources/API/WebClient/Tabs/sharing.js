// One stream for all tabs of a browser: the leading tab reads it, and relays its events to the others.

import { attempt } from '../Service/attempts.js';
import { dropLocks, locks } from '../Service/locks.js';
import { request } from '../Service/request.js';
import { lockOfStream, usePageStream } from '../Session/page-stream.js';
import { Leader } from './leader.js';
import { identify, letGo } from './tab.js';

/** Milliseconds between the pings of a visible tab to the leader; a single one without reply makes the tab take over. */
const beat = 2_000;

/**
 * A browser allows six connections to a service, and a stream occupies one. So only the tab that holds a lock, the leader, has
 * a stream. When the leader closes or crashes, the next tab gets the lock; from a leader that does not reply, a tab takes it.
 * It takes over from the stream that the page had before, see page-stream.js.
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
  #known = {}; // the versions that this tab has heard of, up to #position
  #position = '';
  #unanswered = 0;
  #isAsleep = true; // until #enter is done
  #adopted; // the page's stream before, which the leader goes on to read

  constructor() {
    setInterval(() => this.#ping(), beat);
    for (const change of ['online', 'offline', 'visibilitychange', 'resume']) {
      addEventListener(change, () => this.check(), true); // the last two are the document's
    }
    addEventListener('pagehide', () => this.#leave());
    addEventListener('pageshow', ({ persisted }) => { if (persisted) this.ready = this.#enter(); });
  }

  /** Takes over from a page's stream. */
  async takeOver(page) {
    this.#tab = await identify();
    await page.ready;
    await page.isCalm();
    const { followers, position, versions, stream, lock, resign } = page.handOver();
    this.#followers = followers;
    this.#position = position;
    this.#known = versions;
    this.#adopted = stream;
    if (stream?.isOpen) this.#versions = Object.fromEntries(stream.ids.map((id) => [id, versions[id] ?? 0]));
    usePageStream(this);
    this.ready = this.#begin(lock, resign);
    return this.ready;
  }

  get isLeading() { return this.#leader !== null; }

  isLive(id) { return this.#versions !== null && Object.hasOwn(this.#versions, id); }

  isUnreadable(id) { return this.#unreadable.includes(id); }

  join(id, follower) {
    this.#followers.set(id, follower);
    this.#follow(id);
  }

  /** Creates a session, by the request that opens the stream if this tab leads and has no stream yet. */
  async create(body) {
    return await this.#leader?.create(this.#tab, body) ?? (await request('POST', 'sessions', { body })).body;
  }

  part(id) {
    this.#followers.delete(id);
    this.#follow();
  }

  /** Checks the stream, as the page has slept or the network has changed. */
  check() {
    if (this.#isAsleep) return;
    if (this.#leader) this.#leader.check();
    else this.#ping();
    for (const follower of this.#followers.values()) follower.connectionChanged();
  }

  // MARK: Leadership

  async #enter() {
    this.#tab = await identify();
    return this.#begin();
  }

  /** Leads if no other tab does; `held` is the lock's term if the page has the lock already, and `resign` ends that. */
  async #begin(held, resign) {
    this.#isAsleep = false;
    this.#channel = locks && attempt(() => new BroadcastChannel(lockOfStream));
    if (!this.#channel) return this.#goAlone();
    this.#channel.onmessage = ({ data }) => {
      // A former leader may not have noticed yet that it has lost the lock.
      const isStray = this.isLeading && ['live', 'stale', 'here'].includes(data.type);
      if (!isStray) this.#hear(data);
    };
    await new Promise((decided) => {
      this.#hold({ ifAvailable: true }, decided, held, resign);
    });
    this.#follow();
  }

  /** Leads for as long as the tab has the lock; then waits for it again. */
  async #hold(options, decided = () => {}, held = null, resign = null) {
    this.#bid.abort();
    this.#bid = new AbortController();
    const { signal } = this.#bid;
    let isAnswered = false;
    const lead = (lock) => {
      isAnswered = true;
      const term = lock && this.#lead();
      decided();
      return term;
    };
    if (held) {
      lead(held);
      this.#resign = resign;
    }
    await (held || attempt(() => locks.request(lockOfStream, options ?? { signal }, lead)));
    if (this.#isAsleep || signal.aborted) return;
    if (isAnswered) {
      // Another tab has the lock.
      this.#adopted?.abort.abort();
      this.#stepDown();
      this.#hold(null);
      this.#follow();
    } else this.#goAlone();
    decided();
  }

  /** Leads without regard to other tabs, as there are no locks, or the browser fails. */
  #goAlone() {
    dropLocks();
    this.#bid.abort();
    this.#resign();
    attempt(() => this.#channel.close());
    this.#channel = null;
    if (!this.#leader && !this.#isAsleep) this.#lead();
  }

  #lead() {
    this.#unanswered = 0;
    const term = new Promise((end) => { this.#resign = end; });
    const stream = this.#adopted;
    const adopted = stream && { tab: this.#tab, ...stream, take: (to) => { stream.to = to; } };
    this.#adopted = undefined;
    this.#leader = new Leader(this.#position, { ...this.#known }, (message) => {
      this.#post(message);
      this.#hear(message);
    }, adopted);
    this.#follow();
    this.#post({ type: 'hello' });
    return term;
  }

  #stepDown() {
    this.#leader?.stop();
    this.#leader = null;
  }

  #leave() {
    this.#isAsleep = true;
    this.#post({ type: 'follow', tab: this.#tab, ids: [] });
    this.#stepDown();
    this.#bid.abort();
    this.#resign();
    attempt(() => this.#channel.close());
    letGo();
    this.#setVersions(null);
  }

  #ping() {
    if (this.#isAsleep || this.isLeading || !this.#channel || document.hidden || !this.#followers.size) return;
    if (this.#unanswered++ < 1) {
      this.#follow(); // the leader answers, and may have missed it before
    } else {
      this.#unanswered = 0;
      this.#hold({ steal: true });
    }
  }

  // MARK: Messages

  /** Tells the leader the tab's sessions, and the `id` of one that the tab has just joined. */
  #follow(id) {
    if (this.#isAsleep) return;
    const message = { type: 'follow', tab: this.#tab, ids: [...this.#followers.keys()], id };
    if (this.#leader) this.#hear(message);
    else this.#post(message);
  }

  #post(message) {
    try {
      this.#channel?.postMessage(message);
    } catch {
      this.#goAlone();
    }
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

/** Shares the stream of a page; resolves once it does. */
export const shareStream = (page) => new SharedStream().takeOver(page);
