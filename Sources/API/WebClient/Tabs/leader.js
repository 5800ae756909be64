// The browser's only stream, in the tab that leads.

import { Refusal, request, strange, unreachable } from '../Service/request.js';
import { creation, following, readStream, sessionsPerStream } from '../Service/stream.js';
import { Pause, backoff, stopwatch } from '../Service/timing.js';
import { livingTabs } from './tab.js';

/** Milliseconds of silence after which the stream is checked; by default, the service sends something every 15 s. */
const silence = 20_000;

/**
 * Follows the sessions of all tabs on one stream, and sends the tabs messages: `{type: 'live', versions}` (the version that
 * the stream has sent of each session, 0 for none yet), `{type: 'stale'}`, or `{type: 'here'}` before the first stream has
 * opened or failed, each with the ids of `unreadable` sessions; `{type: 'event', event}`; `{type: 'gone', id}`.
 */
export class Leader {
  #status = 'here';
  #tell;
  #position;
  #tabs = new Map(); // the ids of the sessions that each tab follows
  #ended = new Set();
  #unreadable = new Set(); // sessions that this version of the service cannot read; the stream leaves them out
  #versions = {};
  #abort = new AbortController();
  #isRenewing = false;
  #isOver = false;
  #creation; // {tab, body, resolve, reject}
  #pause = new Pause();
  #sinceSign = stopwatch();
  #timer;

  /**
   * Starts after a position in the stream; `versions` are those of the sessions at that position. `adopted` is a stream that a
   * tab has read so far: `{tab, ids, abort, isOpen, ended, take(to)}`.
   */
  constructor(position, versions, tell, adopted) {
    this.#position = position;
    this.#versions = versions;
    this.#tell = tell;
    this.#timer = setInterval(() => {
      if (this.#sinceSign() > silence) this.#status === 'live' && !this.#creation ? this.check() : this.#abort.abort();
      this.#lookAgain();
    }, 5_000);
    if (adopted) this.#tabs.set(adopted.tab, [...adopted.ids]);
    this.#run(adopted);
  }

  /** Follows a tab's sessions from now on. A session that the tab has just `joined` is tried again even if it had ended. */
  follow(tab, ids, joined) {
    const before = this.#wanted.join();
    this.#tabs.set(tab, ids);
    this.#ended.delete(joined);
    if (this.#wanted.join() === before) return this.report();
    this.#renew();
  }

  /**
   * Creates a session for a tab by the request that opens the stream; resolves to the session. Returns undefined if a stream
   * exists already.
   */
  create(tab, body) {
    if (this.#creation || this.#wanted.length) return undefined;
    return new Promise((resolve, reject) => {
      this.#creation = { tab, body, resolve, reject };
      this.#pause.end();
    });
  }

  /** Sends the tabs the stream's status. */
  report() {
    this.#tell({ type: this.#status, versions: { ...this.#versions }, unreadable: [...this.#unreadable] });
  }

  /** Checks the stream at once, as the network may have changed, or the page may have slept. */
  async check() {
    this.#pause.end();
    if (this.#status !== 'live') return;
    const [id] = Object.keys(this.#versions);
    if (!id) return;
    try {
      const { version } = await this.#read(id, { headers: { 'If-None-Match': `"${this.#versions[id]}"` }, timeout: 4_000 });
      this.#sinceSign = stopwatch();
      // The event may be on its way: the stream is dead only if it does not come within a second.
      setTimeout(() => { if (this.#versions[id] < version) this.#abort.abort(); }, 1_000);
    } catch (refusal) {
      if (refusal.isPassing) this.#abort.abort();
    }
  }

  stop() {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#interrupt();
    this.#notCreated(new Refusal(unreachable));
  }

  get #wanted() {
    return [...new Set([...this.#tabs.values()].flat())].filter((id) => !this.#ended.has(id) && !this.#unreadable.has(id)).sort();
  }

  #interrupt() {
    this.#abort.abort();
    this.#pause.end();
  }

  /** Opens the stream anew. Does not abort a creation, as the service may have made the session already. */
  #renew() {
    if (this.#creation) return;
    this.#isRenewing = true;
    this.#interrupt();
  }

  async #run(adopted) {
    for (let failures = 0; !this.#isOver; adopted = undefined) {
      if (!adopted) await this.#forgetTheDead();
      if (this.#isOver) return;
      const made = adopted ? undefined : this.#creation;
      const ids = adopted?.ids ?? (made ? [] : this.#wanted.slice(0, sessionsPerStream));
      this.#isRenewing = false;
      this.#abort = adopted?.abort ?? new AbortController();
      if (!made && !ids.length) {
        if (this.#unreadable.size) this.#status = 'stale';
        this.report();
        await this.#pause.wait(3600);
        continue;
      }
      let retryAfter = 0;
      this.#sinceSign = stopwatch();
      try {
        const to = {
          opened: () => { failures = 0; this.#opened(ids); },
          event: (event) => {
            if (event.reason === 'signed-out') return; // ends only the stream: the service refuses the next one
            if (!ids.length) this.#created(made, ids[0] = event.session, event);
            this.#relay({ session: ids[0], ...event });
          },
          heard: () => { this.#sinceSign = stopwatch(); },
        };
        if (adopted?.isOpen) to.opened();
        if (adopted) adopted.take(to);
        retryAfter = await (adopted?.ended ?? readStream(made ? creation(made.body) : following(ids, this.#position), this.#abort.signal, to));
        if (!ids.length) this.#notCreated(new Refusal(strange));
      } catch (refusal) {
        if (!ids.length) this.#notCreated(refusal);
        retryAfter = refusal.retryAfter;
        if (refusal.isGone || refusal.isUnreadable || refusal.isDenied) await this.#lookInto([refusal.problem.session ?? ids].flat(), refusal);
      } finally {
        this.#abort.abort(); // closes a stream that was not read to its end
      }
      if (this.#isOver || this.#isRenewing || !ids.length || ids.some((id) => this.#ended.has(id) || this.#unreadable.has(id))) continue;
      this.#status = 'stale';
      this.report();
      await this.#pause.wait(backoff(failures++, retryAfter));
    }
  }

  /** Drops the tabs that crashed, and so sent no message. */
  async #forgetTheDead() {
    const living = await livingTabs();
    for (const tab of this.#tabs.keys()) {
      if (living && !living.has(tab)) this.#tabs.delete(tab);
    }
  }

  #created({ tab, resolve }, id, { version, state }) {
    const others = this.#wanted.length;
    this.#creation = undefined;
    this.#tabs.set(tab, [...this.#tabs.get(tab) ?? [], id]);
    resolve({ id, version, state });
    if (others) this.#renew();
  }

  #notCreated(refusal) {
    this.#creation?.reject(refusal);
    this.#creation = undefined;
  }

  #opened(ids) {
    this.#status = 'live';
    this.#sinceSign = stopwatch();
    this.#versions = Object.fromEntries(ids.map((id) => [id, this.#versions[id] ?? 0]));
    this.report();
    setTimeout(() => this.#learn(), 500);
  }

  /** Reads the sessions of unknown version: the stream sends nothing of a session that has not changed since the position. */
  async #learn() {
    for (const [id, version] of Object.entries(this.#versions)) {
      if (version || this.#isOver) continue;
      const { body } = await this.#read(id).catch(() => ({}));
      if (body && this.#versions[id] === 0) this.#relay({ event: 'state', session: id, version: body.version, state: body.state });
    }
  }

  #read(id, options) { return request('GET', `sessions/${id}`, { isForAll: true, ...options }); }

  #relay(event) {
    if (event.id) this.#position = event.id;
    if (event.version) this.#versions[event.session] = event.version;
    if (event.event === 'end') this.#end(event.session);
    this.#tell({ type: 'event', event });
  }

  #end(id) {
    this.#ended.add(id);
    delete this.#versions[id];
  }

  /** Finds out which of the sessions a refusal is about, as it may not say. */
  async #lookInto(ids, refusal) {
    for (const id of ids) {
      const its = ids.length === 1 ? refusal : await this.#read(id).catch((refusal) => refusal);
      if (its.isUnreadable) this.#unreadable.add(id);
      if (!its.isGone && !its.isDenied) continue;
      this.#end(id);
      this.#tell({ type: 'gone', id });
    }
  }

  /** Tries the unreadable sessions again: another version of the service may run by now. */
  async #lookAgain() {
    for (const id of this.#unreadable) {
      const its = await this.#read(id).catch((refusal) => refusal);
      if (its.message && !its.isGone) continue;
      this.#unreadable.delete(id);
      this.#renew();
    }
  }
}
