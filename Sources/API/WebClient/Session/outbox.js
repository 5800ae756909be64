// The Inputs of one session, sent in order, until the second module takes them over: see queue.js.

import { placeOf } from '../Service/address.js';
import { loadMore } from '../Service/more.js';
import { Refusal, parsed, request, strange, unreachable } from '../Service/request.js';
import { Pause, backoff, randomText } from '../Service/timing.js';

/** How many Inputs, and how many bytes of JSON, one batch may have. */
const batchLimit = { inputs: 100, bytes: 32_768 };

// The promises of callers that wait for an Input; a reload drops them.
export const callers = new WeakMap();
export const reject = (entry, refusal) => callers.get(entry)?.forEach((caller) => caller.reject(refusal));
export const resolve = (entry, version) => callers.get(entry)?.forEach((caller) => caller.resolve(version));

export const size = (entries) => new TextEncoder().encode(JSON.stringify(entries)).length;

/** Returns the Inputs that may be stored: those before the first secret one. */
export function storable(waiting) {
  const secret = waiting.findIndex(({ isSecret }) => isSecret);
  return secret < 0 ? waiting : waiting.slice(0, secret);
}

/**
 * Adds an Input to a queue that has sent the first `sent` waiting ones. It replaces waiting Inputs with the same `replaces`,
 * except for those before an Input without `replaces`, which may need them.
 */
export function enter(queue, sent, input, { words, replaces, isSecret } = {}, caller) {
  // A copy: later changes do not count. Throws for what JSON cannot say.
  const entry = { input: JSON.parse(JSON.stringify(input)), words, replaces, isSecret, key: randomText() };
  const its = [caller];
  const first = Math.max(sent, 1 + queue.waiting.findLastIndex((other) => other.replaces === undefined));
  queue.waiting = queue.waiting.filter((other, index) => {
    if (index < first || replaces === undefined || other.replaces !== replaces) return true;
    // Callers that wait for a replaced Input wait for the new one.
    its.push(...callers.get(other) ?? []);
  });
  queue.waiting.push(entry);
  callers.set(entry, its);
}

/** Returns the next batch, `{key, count, since, unanswered}`: the first `count` waiting Inputs, a secret one by itself. */
export function batchOf(waiting, most = batchLimit.inputs) {
  const secret = waiting.findIndex(({ isSecret }) => isSecret);
  let count = Math.min(most, waiting.length, secret < 0 ? most : secret || 1);
  while (count > 1 && size(waiting.slice(0, count)) > batchLimit.bytes) count >>= 1;
  // Stored with the Input, the key is known even if the batch cannot be stored. An older client's Inputs have none.
  return { key: waiting[0].key ?? randomText(), count, since: Date.now(), unanswered: 0 };
}

/** Sends a batch; resolves to the version that contains it. Calls `save()` when the attempts without a response have changed. */
export async function post(id, waiting, batch, save) {
  const { key, count } = batch;
  const inputs = waiting.slice(0, count).map(({ input }) => input);
  const body = JSON.stringify(count === 1 ? inputs[0] : inputs);
  const { version } = await request('POST', `sessions/${id}/inputs`, {
    body,
    headers: { 'Idempotency-Key': key, Prefer: 'return=minimal' },
    keepalive: body.length < 16_384, // arrives even if the page goes; browsers limit the size
    counted: (change) => {
      batch.unanswered = (batch.unanswered ?? 1) + change; // an older client stored no count
      save();
    },
  });
  if (!version) throw new Refusal(strange); // a proxy's response
  return version;
}

/**
 * Sends and stores Inputs as the queue does that takes them over, but leaves to it what an earlier page has stored, what was
 * refused, and what the session's end has left: then the Inputs behind wait for it.
 */
export class Outbox {
  waiting = [];
  givenUp = [];
  trouble = '';

  #id = null;
  #place = null;
  #batch = null;
  #attempt; // the present one
  #left; // what an earlier page has stored
  #numbers = []; // those of the stored Inputs
  #ended = []; // {waiting, batch, reason}
  #isRunning = false;
  #pause = new Pause();
  #storage;
  #changed;
  #isOffline;

  constructor({ storage, changed, isOffline }) {
    this.#storage = storage;
    this.#changed = changed;
    this.#isOffline = isOffline;
  }

  start(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.#place = placeOf('queue', id);
    this.#left = parsed(this.#storage.getItem(this.#place) ?? this.#storage.getItem(`uifusion.queue.${id}`));
    this.#save();
    this.#run();
  }

  add(input, options) {
    return new Promise((resolve, reject) => {
      enter(this, this.#batch?.count ?? 0, input, options, { resolve, reject });
      this.#update();
      // Inputs that are added together leave as one batch.
      queueMicrotask(() => this.#run());
    });
  }

  isSent(entry) { return this.waiting.indexOf(entry) < (this.#batch?.count ?? 0); }

  poke() { this.#pause.end(); }

  /** Keeps the waiting Inputs from the next session. */
  end(reason) {
    this.#ended.push({ waiting: this.waiting.splice(0), batch: this.#batch, reason });
    this.#save();
    this.#stop();
  }

  /** Stops, as the page goes: the stored Inputs are for the tab's next page, or for this one if it comes back and starts anew. */
  leave() {
    this.#run(); // to send what can be sent at once
    const left = this.waiting;
    this.waiting = [];
    this.#stop();
    for (const entry of left) reject(entry, new Refusal('The page was left.'));
  }

  /** Stops, and returns what the queue takes over: `attempt` is the promise of the batch that is on its way. */
  handOver() {
    const its = { waiting: this.waiting, batch: this.#batch, attempt: this.#attempt, ended: this.#ended, trouble: this.trouble };
    this.waiting = [];
    this.#save();
    this.#stop();
    return its;
  }

  #stop() {
    this.#id = this.#place = this.#batch = this.#attempt = null;
    this.#numbers = [];
    this.#pause.end();
  }

  async #run() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let failures = 0; this.#id && this.waiting.length && !this.#left;) {
      if (!this.#batch && this.#isOffline()) {
        this.#update(unreachable);
        await this.#pause.wait(backoff(failures++));
        continue;
      }
      const batch = this.#batch ??= batchOf(this.waiting);
      this.#attempt ??= post(this.#id, this.waiting, batch, () => { if (batch === this.#batch) this.#save(); });
      try {
        const version = await this.#attempt;
        if (batch !== this.#batch) continue;
        failures = 0;
        this.#batch = this.#attempt = null;
        const done = this.waiting.splice(0, batch.count);
        this.trouble = '';
        this.#save();
        for (const entry of done) resolve(entry, version);
        queueMicrotask(this.#changed); // after the callers have begun to wait for State
      } catch (refusal) {
        if (batch !== this.#batch) continue;
        this.#update(refusal.message);
        if (!refusal.isPassing) break;
        if (refusal.problem && refusal.status === 429) batch.unanswered -= 1; // the service has not applied it
        this.#attempt = null;
        await this.#pause.wait(backoff(failures++, refusal.retryAfter));
      }
    }
    this.#isRunning = false;
    // Only the second module can go on.
    if (this.waiting.length && this.#id) loadMore();
  }

  #update(trouble = '') {
    this.trouble = trouble;
    this.#save();
    this.#changed();
  }

  #save() {
    const place = this.#place;
    // What an earlier page has left stays as it is, also if it is dropped: this tab may have a copy of another one's.
    if (!place || this.#left && !this.waiting.length && !this.#numbers.length) return;
    for (const number of this.#numbers) this.#storage.removeItem(`${place}.${number}`);
    const { numbers = [], givenUp = [], batch = this.#batch, ...others } = this.#left ?? {};
    const first = Math.max(0, ...numbers);
    this.#numbers = storable(this.waiting).map((entry, index) => {
      this.#storage.setItem(`${place}.${first + index + 1}`, JSON.stringify(entry));
      return first + index + 1;
    });
    const all = [...numbers, ...this.#numbers];
    const its = { ...others, numbers: all, givenUp, batch: all.length ? batch : null };
    if (this.#left || all.length) this.#storage.setItem(place, JSON.stringify(its));
    else this.#storage.removeItem(place);
  }
}
