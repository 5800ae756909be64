// The Pulses of a session that somebody waits for: each assignment is told once, over reloads and lost connections.

import { isPulse, valueAt } from './paths.js';
import { placeOf } from './request.js';
import { keep, tabStorage } from './storage.js';

export class PulseWatch {
  #callbacks = new Map(); // by the path of a Pulse

  /** Returns a function that ends it. */
  add(path, callback) {
    if (!this.#callbacks.has(path)) this.#callbacks.set(path, new Set());
    this.#callbacks.get(path).add(callback);
    return () => this.#callbacks.get(path).delete(callback);
  }

  /** Tells where the count has grown since this tab last saw it; the first one seen is only remembered. */
  look({ id, state }) {
    for (const [path, callbacks] of this.#callbacks) {
      const { value, pulse } = Object(valueAt(state, path));
      if (!isPulse({ value, pulse })) continue;
      const key = placeOf('pulse', `${id}.${path}`);
      const seen = tabStorage.getItem(key);
      keep(tabStorage, key, pulse);
      if (seen === null || pulse <= Number(seen)) continue;
      for (const callback of callbacks) {
        try {
          callback(value);
        } catch (error) {
          reportError(error);
        }
      }
    }
  }
}
