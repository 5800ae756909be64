// The Inputs of one session that have no answer yet: they leave in order, and nothing overtakes.

import { Refusal, parsed, placeOf, request, strange, unreachable } from './request.js';
import { keep } from './storage.js';
import { Pause, backoff, randomText } from './timing.js';

/** How many Inputs may wait, and how many bytes they may have as JSON. */
export const limit = { inputs: 256, bytes: 262_144 };
/** What leaves as one batch at the most. */
const batchLimit = { inputs: 100, bytes: 32_768 };
/** The service knows a key for 24 hours, unless newer ones take its place. */
const keyLifetime = 23 * 3600 * 1000;

/**
 * Nothing is sent while `isOffline()`: so all of it can still be withdrawn.
 *
 * Calls `changed()` when `waiting`, `givenUp` or `trouble` has changed, `gone(refusal)` when the session is no
 * longer there.
 *
 * A batch that was sent keeps its key and its Inputs until an answer comes: so it may be sent again for as long as the
 * service knows the key, and is applied once. What waits behind it is kept over a reload of the page, up to the first that is
 * secret: secrets are not stored, and leave alone.
 */
export class InputQueue {
  /** Inputs without an answer, oldest first: `{input, words, replaces, isSecret}`. */
  waiting = [];
  /** Inputs that will not be sent, until they are dismissed: `{inputs, words, reason, problem}`. */
  givenUp = [];
  /** Why nothing answers, as a sentence; empty while all is well. */
  trouble = '';

  #id = null; // where it sends to
  #place = null; // what is stored, over the session's end, until another one begins
  #batch = null; // {key, count, since, unanswered}: the first `count` of those that wait, and the attempts without an answer
  #stored = new Map(); // the numbers under which Inputs are stored, each by itself: all of them may be much
  #isRunning = false;
  #pause = new Pause();
  #storage;
  #changed;
  #gone;
  #isOffline;

  constructor({ storage, changed, gone, isOffline = () => false }) {
    this.#storage = storage;
    this.#changed = changed;
    this.#gone = gone;
    this.#isOffline = isOffline;
  }

  /** Begins to send to a session, with what was left of it before the page was loaded. */
  start(id) {
    if (id === this.#id) return;
    if (this.#place) this.#forget();
    this.#id = id;
    this.#place = placeOf('queue', id);
    // An older client did not tell apart the services below the paths of an origin.
    const place = [this.#place, `uifusion.queue.${id}`].find((place) => this.#storage?.getItem(place));
    const saved = place && parsed(this.#storage.getItem(place));
    if (saved) {
      const { numbers = [] } = saved;
      const before = numbers.map((number) => parsed(this.#storage.getItem(`${place}.${number}`)));
      // There was no room for all of it.
      if (!before.every(Boolean)) before.splice(before.findIndex((entry) => !entry));
      if (saved.batch?.count > (saved.waiting ?? before).length) [saved.batch, before.length] = [null, 0];
      if (place === this.#place) for (const [index, entry] of before.entries()) this.#stored.set(entry, numbers[index]);
      else for (const key of [place, ...numbers.map((number) => `${place}.${number}`)]) this.#storage.removeItem(key);
      this.waiting = [...saved.waiting ?? before, ...this.waiting];
      this.givenUp = [...saved.givenUp, ...this.givenUp];
      this.#batch = saved.batch;
    }
    this.#update();
    this.#run();
  }

  /**
   * Resolves to the version that has the Input; rejects where it was refused or given up. It takes the place of what
   * `replaces` the same, but not of what stands before an Input that replaces nothing: that may need it.
   */
  add(input, { words, replaces, isSecret } = {}) {
    return new Promise((resolve, reject) => {
      // As it is now, and only if it can be sent at all.
      const entry = { input: JSON.parse(JSON.stringify(input)), words, replaces, isSecret };
      callers.set(entry, [{ resolve, reject }]);
      const first = Math.max(this.#batch?.count ?? 0, 1 + this.waiting.findLastIndex((other) => other.replaces === undefined));
      this.waiting = this.waiting.filter((other, index) => {
        if (index < first || replaces === undefined || other.replaces !== replaces) return true;
        // Whoever waits for one that is replaced, waits for what came in its place.
        callers.get(entry).push(...callers.get(other) ?? []);
      });
      this.waiting.push(entry);
      if (this.waiting.length > limit.inputs || size(this.waiting) > limit.bytes) {
        this.#giveUp(this.waiting.length - 1, new Refusal(`No more than ${limit.inputs} may wait, or ${limit.bytes >> 10} KiB.`));
      } else {
        this.#update();
        // What is sent in one go leaves as one batch.
        queueMicrotask(() => this.#run());
      }
    });
  }

  /** What was sent may have arrived. */
  isSent(entry) { return this.waiting.indexOf(entry) < (this.#batch?.count ?? 0); }

  /** Takes an Input out that was not sent yet. */
  withdraw(entry) {
    if (this.isSent(entry)) return;
    this.waiting = this.waiting.filter((other) => other !== entry);
    this.#update(this.trouble);
    reject(entry, Object.assign(new Refusal('This was withdrawn.'), { isWithdrawn: true }));
  }

  dismiss(entry) {
    this.givenUp = this.givenUp.filter((other) => other !== entry);
    this.#update();
  }

  /** Tries at once what waits for a better time. */
  poke() {
    this.#pause.end();
  }

  /** The session is over, and with it all that waits. */
  end(reason) {
    if (this.waiting.length) this.#giveUp(0, new Refusal(reason));
    this.#save();
    this.#stop();
  }

  /** The page goes: what is stored is the tab's next page's, until this one comes back and starts anew. */
  leave() {
    this.#run(); // to send what can be sent at once
    const left = this.waiting;
    [this.waiting, this.givenUp] = [[], []];
    this.#stored.clear();
    this.#place = null;
    this.#stop();
    for (const entry of left) reject(entry, new Refusal('The page was left.'));
  }

  #stop() {
    this.#id = null;
    this.#batch = null;
    this.#pause.end();
  }

  async #run() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let failures = 0; this.#id && this.waiting.length;) {
      if (!this.#batch && this.#isOffline()) {
        this.#update(unreachable);
        await this.#pause.wait(backoff(failures++));
        continue;
      }
      const batch = this.#batch ??= this.#nextBatch();
      try {
        const version = await this.#post(batch);
        if (batch !== this.#batch) continue;
        failures = 0;
        this.#answered(batch.count, version);
      } catch (refusal) {
        if (batch !== this.#batch) continue;
        if (refusal.isGone || refusal.problem && refusal.status === 429) batch.unanswered -= 1; // it was not taken
        if (refusal.isPassing && isFresh(batch)) {
          this.#update(refusal.message);
          await this.#pause.wait(backoff(failures++, refusal.retryAfter));
        } else {
          failures = 0;
          this.#refused(refusal);
        }
      }
    }
    this.#isRunning = false;
  }

  #nextBatch(most = batchLimit.inputs) {
    const secret = this.waiting.findIndex(({ isSecret }) => isSecret);
    let count = Math.min(most, this.waiting.length, secret < 0 ? most : secret || 1);
    while (count > 1 && size(this.waiting.slice(0, count)) > batchLimit.bytes) count >>= 1;
    return { key: randomText(), count, since: Date.now(), unanswered: 0 };
  }

  async #post(batch) {
    if (!isFresh(batch)) throw new Refusal('No answer has come for a day.');
    const { key, count } = batch;
    const inputs = this.waiting.slice(0, count).map(({ input }) => input);
    const body = JSON.stringify(count === 1 ? inputs[0] : inputs);
    const { version } = await request('POST', `sessions/${this.#id}/inputs`, {
      body,
      headers: { 'Idempotency-Key': key, Prefer: 'return=minimal' },
      keepalive: body.length < 16_384, // so that it arrives when the page goes; a browser takes no more
      counted: (change) => {
        batch.unanswered = (batch.unanswered ?? 1) + change; // an older client did not count
        this.#save();
      },
    });
    if (!version) throw new Refusal(strange); // from something in between
    return version;
  }

  #answered(count, version = 0) {
    this.#batch = null;
    const done = this.waiting.splice(0, count);
    this.trouble = '';
    this.#save();
    for (const entry of done) callers.get(entry)?.forEach(({ resolve }) => resolve(version));
    queueMicrotask(this.#changed); // once the callers wait for State
  }

  #refused(refusal) {
    const { count } = this.#batch;
    const { index } = refusal.problem ?? {};
    if (refusal.isGone) {
      this.#gone(refusal);
    } else if (refusal.type === 'invalid-input' && index > 0) {
      // Nothing was applied: those before it go first, and then it is the first one.
      this.#batch = this.#nextBatch(index);
    } else if (refusal.status === 413 && count > 1) {
      this.#batch = this.#nextBatch(count >> 1);
    } else {
      // Of a batch that failed halfway those before `index` stand.
      if (index > 0) this.#answered(index);
      this.#giveUp(0, refusal);
    }
  }

  /** From a place on, for what stands behind may be meant for what did not happen. */
  #giveUp(place, refusal) {
    const entries = this.waiting.splice(place);
    // What was sent, and got no answer that says so, may have been applied all the same.
    const isDoubtful = !place && this.#batch?.unanswered && (refusal.isPassing || refusal.isGone);
    const reason = `${isDoubtful ? 'This may not have been saved.' : 'This could not be saved.'} ${refusal.message}`;
    if (!place) this.#batch = null;
    const inputs = entries.map(({ input, isSecret }) => isSecret && Object(input) === input ? Object.keys(input)[0] : input);
    const last = this.givenUp.at(-1);
    const words = entries.map((entry) => (entry.isSecret ? '' : entry.words));
    if (last?.reason === reason && last.words) {
      last.inputs.push(...inputs);
      last.words.push(...words);
    } else {
      this.givenUp.push({ inputs, words, reason, problem: refusal.problem });
    }
    this.#update();
    for (const entry of entries) reject(entry, refusal);
  }

  #update(trouble = '') {
    this.trouble = trouble;
    this.#save();
    this.#changed();
  }

  /** All that is stored, but what is still wanted. */
  #forget(wanted) {
    if (!wanted) this.#storage?.removeItem(this.#place);
    for (const [entry, number] of this.#stored) {
      if (wanted?.has(entry)) continue;
      this.#storage?.removeItem(`${this.#place}.${number}`);
      this.#stored.delete(entry);
    }
  }

  #save() {
    if (!this.#place || !this.#storage) return;
    const { givenUp } = this;
    const secret = this.waiting.findIndex(({ isSecret }) => isSecret);
    const waiting = secret < 0 ? this.waiting : this.waiting.slice(0, secret);
    let number = Math.max(0, ...this.#stored.values());
    this.#forget(new Set(waiting));
    for (const entry of waiting) {
      if (this.#stored.has(entry)) continue;
      this.#stored.set(entry, ++number);
      keep(this.#storage, `${this.#place}.${number}`, JSON.stringify(entry));
    }
    if (!waiting.length && !givenUp.length) return this.#storage.removeItem(this.#place);
    const numbers = waiting.map((entry) => this.#stored.get(entry));
    keep(this.#storage, this.#place, JSON.stringify({ numbers, givenUp, batch: waiting.length ? this.#batch : null }));
  }
}

// Those who wait for an Input; nobody does any more once the page was loaded anew.
const callers = new WeakMap();
const reject = (entry, refusal) => callers.get(entry)?.forEach((caller) => caller.reject(refusal));
const isFresh = ({ since }) => Date.now() - since < keyLifetime;
const size = (entries) => new TextEncoder().encode(JSON.stringify(entries)).length;
