// Fires events when elements come into sight or leave it: in the window of a visible tab.

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

/** Fires the event; for a disabled element once it is enabled, if that is still true. */
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
