// When something is done: later, in the next frame, or as soon as somebody asks for it.

/** How the page came: `navigate`, `reload`, `back_forward`. */
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

/** How long to wait after so many failures: not all clients at once, and never less than was asked for. */
export function backoff(failures, atLeast = 0) {
  return Math.max(atLeast, Math.min(0.25 * 2 ** failures, 5) * (0.5 + Math.random() / 2));
}

/** Calls once in the next frame however often it is asked; a page that shows no frames is not waited for. */
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

export const randomText = () => crypto.getRandomValues(new Uint32Array(4)).join('-');
