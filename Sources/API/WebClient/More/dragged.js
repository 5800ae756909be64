// What is dragged: with the mouse, or with a key or a finger that first picks up and then puts down.

import { elementOf } from '../Page/elements.js';
import { named, own } from '../Page/prefix.js';
import { nameOf } from '../Page/words.js';

/** Elements that have clicks and keys of their own. */
export const within = 'a, button, input, select, textarea, label, summary';
let dragged; // {element, value, session}

/** Returns what is dragged. */
export const draggedNow = () => dragged;

export const isOwn = ({ target, currentTarget }) => target === currentTarget || !target.closest(within);
export const isPressing = ({ key, target, currentTarget }) => target === currentTarget && (key === 'Enter' || key === ' ');

export function pick(element, session, value, says) {
  release();
  dragged = { element, session, value };
  own(element).dragging = '';
  const places = document.querySelectorAll(named('[data-drop]:not([tabindex])'));
  for (const place of places) place.tabIndex = 0;
  const status = elementOf('p', { className: 'notice', role: 'status' });
  document.querySelector(named('[data-notices]'))?.append(status);
  if (says) setTimeout(() => { status.textContent = `${nameOf(element)} is picked up. Choose a place, or press Escape.`; }, 50);
  dragged.release = () => {
    status.remove();
    delete own(element).dragging;
    for (const place of places) place.removeAttribute('tabindex');
  };
}

export function release() {
  dragged?.release();
  dragged = undefined;
}
