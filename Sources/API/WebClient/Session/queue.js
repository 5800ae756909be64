// The Inputs of one session that have no response yet; they are sent in order.

import { placeOf } from '../Service/address.js';
import { Refusal, parsed, unreachable } from '../Service/request.js';
import { Pause, backoff } from '../Service/timing.js';
import { batchOf, callers, enter, post, reject, resolve, size, storable } from './outbox.js';

/** How many Inputs may wait, and how many bytes they may have as JSON. */
export const limit = { inputs: 256, bytes: 262_144 };
/** The service knows a key for 24 hours, unless newer ones take its place. */
const keyLifetime = 23 * 3600 * 1000;

/**
 * Sends nothing while `isOffline()`, so that all Inputs can still be withdrawn.
 *
 * Calls `changed()` when `waiting`, `givenUp` or `trouble` has changed, `gone(refusal)` when the session is gone.
 *
 * A batch that was sent keeps its key and its Inputs until a response comes: it can be sent again for as long as the service
 * knows the key, and is applied once. Inputs survive a reload of the page, up to the first secret one: secret Inputs are
 * not stored, and each is sent by itself.
 */
export class InputQueue {
  /** Inputs without a response, oldest first: `{input, words, replaces, isSecret}`. */
  waiting = [];
  /** Inputs that will not be sent, until they are dismissed: `{inputs, words, reason, problem}`. */
  givenUp = [];
  /** Why the service does not respond, as a sentence; empty while all is well. */
  trouble = '';

  #id = null; // the session to send to
  #place = null; // the key in the storage, also after the session's end
  #batch = null; // {key, count, since, unanswered}: the first `count` waiting Inputs, and the attempts without a response
  #attempt; // the outbox's last one, which may still be on its way
  #stored = new Map(); // each Input's number in the storage: a change does not store all of them anew
  #isRunning = false;
  #pause = new Pause();
  #storage;
  #changed;
  #gone;
  #isOffline;

  /** Takes over what an outbox has handed over. */
  constructor({ storage, changed, gone, isOffline = () => false }, { waiting = [], batch = null, attempt, ended = [], trouble = '' } = {}) {
    this.#storage = storage;
    this.#changed = changed;
    this.#gone = gone;
    this.#isOffline = isOffline;
    for (const last of ended) {
      [this.waiting, this.#batch] = [last.waiting, last.batch];
      if (this.waiting.length) this.#giveUp(0, new Refusal(last.reason));
    }
    Object.assign(this, { waiting, trouble });
    [this.#batch, this.#attempt] = [batch, attempt];
  }

  /** Begins to send to a session, starting with the Inputs that were stored before the page was loaded. */
  start(id) {
    if (id === this.#id) return;
    if (this.#place) this.#forget();
    this.#id = id;
    this.#place = placeOf('queue', id);
    // An older client stored under the same key for all services of an origin.
    const place = [this.#place, `uifusion.queue.${id}`].find((place) => this.#storage?.getItem(place));
    const saved = place && parsed(this.#storage.getItem(place));
    if (saved) {
      const { numbers = [] } = saved;
      const before = numbers.map((number) => parsed(this.#storage.getItem(`${place}.${number}`)));
      // The storage may have had no room for all Inputs.
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

  /** Queues an Input. Resolves to the version that contains it; rejects if it is refused or given up. */
  add(input, options) {
    return new Promise((resolve, reject) => {
      enter(this, this.#batch?.count ?? 0, input, options, { resolve, reject });
      if (this.waiting.length > limit.inputs || size(this.waiting) > limit.bytes) {
        this.#giveUp(this.waiting.length - 1, new Refusal(`No more than ${limit.inputs} may wait, or ${limit.bytes >> 10} KiB.`));
      } else {
        this.#update();
        // Inputs that are added together leave as one batch.
        queueMicrotask(() => this.#run());
      }
    });
  }

  /** Whether an Input was sent, and so may have arrived. */
  isSent(entry) { return this.waiting.indexOf(entry) < (this.#batch?.count ?? 0); }

  /** Removes an Input, unless it was sent. */
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

  /** Ends the pause before the next attempt. */
  poke() {
    this.#pause.end();
  }

  /** Gives up all waiting Inputs, as the session has ended. */
  end(reason) {
    if (this.waiting.length) this.#giveUp(0, new Refusal(reason));
    this.#save();
    this.#stop();
  }

  /** Stops, as the page goes: the stored Inputs are for the tab's next page, or for this one if it comes back and starts anew. */
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
      const batch = this.#batch ??= batchOf(this.waiting);
      const attempt = this.#attempt;
      this.#attempt = undefined;
      try {
        const version = await (attempt ?? this.#post(batch));
        if (batch !== this.#batch) continue;
        failures = 0;
        this.#answered(batch.count, version);
      } catch (refusal) {
        if (batch !== this.#batch) continue;
        if (refusal.isGone || refusal.problem && refusal.status === 429) batch.unanswered -= 1; // the service has not applied it
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

  #post(batch) {
    if (!isFresh(batch)) throw new Refusal('No answer has come for a day.');
    return post(this.#id, this.waiting, batch, () => this.#save());
  }

  #answered(count, version = 0) {
    this.#batch = null;
    const done = this.waiting.splice(0, count);
    this.trouble = '';
    this.#save();
    for (const entry of done) resolve(entry, version);
    queueMicrotask(this.#changed); // after the callers have begun to wait for State
  }

  #refused(refusal) {
    const { count } = this.#batch;
    const { index } = refusal.problem ?? {};
    if (refusal.isGone) {
      this.#gone(refusal);
    } else if ((refusal.isDenied || refusal.type === 'invalid-input') && index > 0) {
      // Nothing was applied: the Inputs before the refused one are sent first.
      this.#batch = batchOf(this.waiting, index);
    } else if (refusal.status === 413 && count > 1) {
      this.#batch = batchOf(this.waiting, count >> 1);
    } else {
      // A batch that failed halfway has applied the Inputs before `index`.
      if (index > 0) this.#answered(index);
      this.#giveUp(0, refusal);
    }
  }

  /** Gives up the Inputs from a place on: those behind a refused one may depend on it. */
  #giveUp(place, refusal) {
    const entries = this.waiting.splice(place);
    // A batch that was sent and has no certain response may have been applied.
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

  /** Removes the stored Inputs but the `wanted` ones. */
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
    const waiting = storable(this.waiting);
    let number = Math.max(0, ...this.#stored.values());
    this.#forget(new Set(waiting));
    for (const entry of waiting) {
      if (this.#stored.has(entry)) continue;
      this.#stored.set(entry, ++number);
      this.#storage.setItem(`${this.#place}.${number}`, JSON.stringify(entry));
    }
    if (!waiting.length && !givenUp.length) return this.#storage.removeItem(this.#place);
    const numbers = waiting.map((entry) => this.#stored.get(entry));
    this.#storage.setItem(this.#place, JSON.stringify({ numbers, givenUp, batch: waiting.length ? this.#batch : null }));
  }
}

const isFresh = ({ since }) => Date.now() - since < keyLifetime;
