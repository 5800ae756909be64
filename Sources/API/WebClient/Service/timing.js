// Pauses, the backoff of retries, and calls once per frame.

/** How the page was loaded: `navigate`, `reload`, `back_forward`. */
export const navigation = performance.getEntriesByType('navigation')[0]?.type;

/** A pause that `end()` cuts short. */
export class Pause {
  #timer;
  #resolve;

  wait(seconds) {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#timer = setTimeout(resolve, seconds * 1000);
    });
  }

  end() {
    clearTimeout(this.#timer);
    this.#resolve?.();
  }
}

/** Returns the seconds to wait after some failures: random, so that not all clients retry at once, but `atLeast` so many. */
export function backoff(failures, atLeast = 0) {
  return Math.max(atLeast, Math.min(0.25 * 2 ** failures, 5) * (0.5 + Math.random() / 2));
}

/** Returns a function that runs an action once in the next frame, however often it is called; after 0.1 s without a frame. */
export function oncePerFrame(action) {
  let isDue = false;
  const run = () => {
    if (!isDue) return;
    isDue = false;
    action();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(run);
    setTimeout(run, 100);
  };
}

/** Returns a function that returns the milliseconds since now. A clock that is set back does not stop it, nor does sleep. */
export function stopwatch() {
  const [wall, steady] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wall, performance.now() - steady);
}

export const randomText = () => crypto.getRandomValues(new Uint32Array(4)).join('-');
