// Calls back for each assignment of a session's Pulses, once, even over reloads and lost connections.

import { placeOf } from '../Service/address.js';
import { tabStorage } from '../Service/storage.js';
import { isPulse, valueAt } from './paths.js';

export class PulseWatch {
  #callbacks = new Map(); // by the path of a Pulse

  /** Calls back for a Pulse's assignments from now on. Returns a function that ends that. */
  add(path, callback) {
    if (!this.#callbacks.has(path)) this.#callbacks.set(path, new Set());
    this.#callbacks.get(path).add(callback);
    return () => this.#callbacks.get(path).delete(callback);
  }

  /** Calls back for each Pulse whose count has grown since this tab last saw it; the first count is only stored. */
  look({ id, state }) {
    for (const [path, callbacks] of this.#callbacks) {
      const { value, pulse } = Object(valueAt(state, path));
      if (!isPulse({ value, pulse })) continue;
      const key = placeOf('pulse', `${id}.${path}`);
      const seen = tabStorage.getItem(key);
      tabStorage.setItem(key, pulse);
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
