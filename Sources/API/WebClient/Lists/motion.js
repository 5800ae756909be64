// Animates rows that move, and, if the page has styles for that, rows that are added or removed.

import { dom } from '../Page/dom.js';

const most = 200;
const running = new WeakMap();

const isStill = () => document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Returns a function that animates elements from their present places to those at the time of the call. */
export function gliding(elements) {
  if (elements.length > most || isStill()) return undefined;
  const before = boxes(elements);
  return () => {
    for (const element of elements) running.get(element)?.cancel();
    for (const [index, { left, top, width }] of boxes(elements).entries()) {
      const from = before[index];
      const [x, y] = [from.left - left, from.top - top];
      if (!x && !y || !from.width || !width) continue;
      const frames = { transform: [`translate(${x}px, ${y}px)`, 'none'] };
      running.set(elements[index], dom(elements[index]).animate(frames, { duration: 200, easing: 'ease-out' }));
    }
  };
}

const boxes = (elements) => elements.map((element) => dom(element).getBoundingClientRect());

/** Removes an element after its animation; the `others` close up. */
export async function takeOut(element, others) {
  dom(element).inert = true;
  await animated(element, 'leaving');
  const settle = gliding(others());
  dom(element).remove();
  settle?.();
}

/** Gives an element a class for as long as the class animates it. */
export async function animated(element, name) {
  if (isStill()) return;
  dom(element).classList.add(name);
  const ends = dom(element).getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(ends.map(({ finished }) => finished));
  dom(element).classList.remove(name);
}
