// The stream of a page's sessions until the second module has come: then all tabs of the browser share one, see sharing.js.

import { address } from '../Service/address.js';
import { attempt } from '../Service/attempts.js';
import { locks } from '../Service/locks.js';
import { later, loadMore } from '../Service/more.js';
import { Refusal, request, strange } from '../Service/request.js';
import { creation, following, readStream, sessionsPerStream } from '../Service/stream.js';
import { Pause, backoff } from '../Service/timing.js';

/** The lock of the tab that has the browser's stream. */
export const lockOfStream = `uifusion ${address('')}`;

/**
 * Reads one stream, unless another tab of the browser leads: then it waits for the second module, and goes alone without it.
 *
 * A follower has `event(event)`, `gone()`, `connectionChanged()`, and `catchUp(version)` for when it may have missed events.
 */
class PageStream {
  isLeading = false;
  /** Resolves once it is known whether this tab leads. */
  ready;

  #followers = new Map(); // by the id of its session
  #stream; // {ids, abort, isOpen, to, ended}
  #versions = {};
  #position = '';
  #made; // {body, resolve, reject}: the session that a request creates
  #creating;
  #pause = new Pause();
  #lock;
  #resign = () => {};
  #listening = new AbortController();

  constructor() {
    this.ready = this.#enter();
    const { signal } = this.#listening;
    const listen = (type, act) => addEventListener(type, act, { signal });
    listen('online', () => this.#pause.end());
    listen('offline', () => this.#renew());
    listen('pagehide', () => this.#stop());
    listen('pageshow', ({ persisted }) => { if (persisted) this.ready = this.#enter(); });
    later('shareStream', this);
  }

  isLive(id) { return Boolean(this.#stream?.isOpen && this.#stream.ids.includes(id)); }

  isUnreadable() { return false; }

  join(id, follower) {
    this.#followers.set(id, follower);
    if (!this.#stream?.ids.includes(id)) this.#renew();
    follower.connectionChanged();
    if (this.#versions[id]) follower.catchUp(this.#versions[id]);
  }

  part(id) {
    this.#followers.delete(id);
    if (this.#stream?.ids.includes(id)) this.#renew();
  }

  /** Creates a session, by the request that opens the stream if this tab leads and has no stream yet. */
  async create(body) {
    if (!this.isLeading || this.#made || this.#stream || this.#followers.size) return (await request('POST', 'sessions', { body })).body;
    this.#creating = new Promise((resolve, reject) => { this.#made = { body, resolve, reject }; });
    this.#pause.end();
    return this.#creating;
  }

  /** Resolves once no session is being created. */
  async isCalm() { await this.#creating?.catch(() => {}); }

  /** Stops, and returns what the shared stream takes over. */
  handOver() {
    const [stream, lock] = [this.#stream, this.isLeading && this.#lock];
    this.#stream = undefined;
    this.isLeading = false;
    this.#listening.abort();
    this.#pause.end();
    return { followers: this.#followers, position: this.#position, versions: this.#versions, stream, lock, resign: this.#resign };
  }

  async #enter() {
    await new Promise((decided) => {
      let isAnswered = false;
      this.#lock = attempt(() => locks.request(lockOfStream, { ifAvailable: true }, (lock) => {
        isAnswered = true;
        this.isLeading = Boolean(lock);
        decided();
        return lock && new Promise((end) => { this.#resign = end; });
      }));
      Promise.resolve(this.#lock).then(() => {
        if (!isAnswered) this.isLeading = true; // the browser has no locks
        else if (this.isLeading) this.#stop(); // another tab has taken the lock
        decided();
      });
    });
    if (this.isLeading) this.#run();
    else {
      loadMore().then(({ settled }) => {
        if (settled || this.#listening.signal.aborted) return; // the second module has come
        this.isLeading = true;
        this.#run();
      });
    }
  }

  #stop() {
    this.isLeading = false;
    this.#renew();
    this.#resign();
  }

  #renew() {
    if (this.#made) return; // the service may have made the session already
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.abort.abort();
    this.#pause.end();
    if (stream) this.#changed();
  }

  async #run() {
    for (let failures = 0; this.isLeading;) {
      const made = this.#made;
      const ids = made ? [] : [...this.#followers.keys()].sort().slice(0, sessionsPerStream);
      if (!made && !ids.length) {
        await this.#pause.wait(3600);
        continue;
      }
      const stream = this.#stream = { ids, abort: new AbortController(), isOpen: false };
      stream.to = {
        opened: () => {
          failures = 0;
          stream.isOpen = true;
          this.#changed();
        },
        event: (event) => {
          if (event.reason === 'signed-out') return; // ends only the stream: the service refuses the next one
          const { session: id = ids[0], version, state } = event;
          if (this.#made) {
            this.#made = undefined;
            ids.push(id);
            made.resolve({ id, version, state });
            if (this.#followers.size) this.#renew();
          }
          this.#event(event, id, ids);
        },
        heard() {},
      };
      let pause = 0;
      try {
        stream.ended = readStream(made ? creation(made.body) : following(ids, this.#position), stream.abort.signal, {
          opened: () => stream.to.opened(),
          event: (event) => stream.to.event(event),
          heard: () => stream.to.heard(),
        });
        pause = await stream.ended;
        made?.reject(new Refusal(strange));
      } catch (refusal) {
        made?.reject(refusal);
        pause = refusal.retryAfter;
        const gone = stream === this.#stream && (refusal.isGone || refusal.isDenied) ? [refusal.problem.session ?? ids].flat() : [];
        for (const id of gone) this.#followers.get(id)?.gone();
      }
      if (!ids.length) this.#made = undefined;
      if (stream !== this.#stream) continue;
      this.#stream = undefined;
      stream.abort.abort(); // closes a stream that was not read to its end
      this.#changed();
      if (ids.length) await this.#pause.wait(backoff(failures++, pause));
    }
    // The tab has ceased to lead before the request was sent.
    if (this.#made) {
      const { body, resolve, reject } = this.#made;
      this.#made = undefined;
      request('POST', 'sessions', { body }).then((response) => resolve(response.body), reject);
    }
  }

  #event(event, id, ids) {
    if (event.id) this.#position = event.id;
    if (event.version) this.#versions[id] = event.version;
    if (event.event === 'end') ids.splice(ids.indexOf(id), 1);
    this.#followers.get(id)?.event({ session: id, ...event });
  }

  #changed() {
    for (const follower of this.#followers.values()) follower.connectionChanged();
  }
}

let stream;

/** Returns the page's stream. */
export const pageStream = () => stream ??= new PageStream();

/** Makes another stream the page's. */
export const usePageStream = (its) => { stream = its; };
