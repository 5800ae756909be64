// Whether an element is in sight: in the window, in a tab that is shown.

import { fire, waitingFor } from './elements.js';

const there = new WeakMap(); // elements, and whether they are in the window
const told = new WeakMap();
const all = `${waitingFor('appear')}, ${waitingFor('disappear')}`;

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    there.set(target, isIntersecting);
    tell(target);
  }
});

/** What cannot be sent yet is told once it can, if it is still true. */
export function tell(element) {
  const isSeen = Boolean(there.get(element)) && !document.hidden;
  if (!there.has(element) || element.ariaDisabled === 'true' || isSeen === (told.get(element) ?? false)) return;
  told.set(element, isSeen);
  fire(element, isSeen ? 'appear' : 'disappear');
}

export function watch(element) {
  if (element.matches(all)) observer.observe(element);
}

document.addEventListener('visibilitychange', () => document.querySelectorAll(all).forEach(tell));
