// Whether the user types: a new focus would take the next letters, and a blank would press a newly focused button.

import { dom } from '../Core/dom.js';
import { isYes } from '../Bindings/truth.js';
import { expression } from '../Bindings/expressions.js';
import { isUnsent, typedIn } from '../Bindings/focus.js';
import { localOf } from '../Bindings/scopes.js';
import { isTyped } from '../Bindings/values.js';
import { watching } from '../Bindings/watching.js';

const pause = 1000;
let typedAt = -pause; // the time of the newest key in a field that has had no `change` since
addEventListener('input', () => { typedAt = performance.now(); }, true);
addEventListener('change', () => { typedAt = -pause; }, true);

/** Ends the wait: the user has pressed a shortcut, and does not type in the field. */
export const wasAsked = () => { typedAt = -pause; };

/** Returns the milliseconds until the user has typed nothing for a second; 0 for what `data-local` shows. */
export const restOfTyping = (shown) => (localOf(shown) ? 0 : typedAt + pause - performance.now());

let next; // the element that is to have the focus

/** `data-focus`: waits until the user pauses typing; only a field takes the focus from unsent text. */
export function focusStep(element, plan) {
  const wanted = plan.read(element, 'data-focus', expression);
  return wanted && watching(wanted, (element, value, before) => {
    const take = () => {
      if (next !== element) return;
      const rest = restOfTyping(wanted);
      if (rest > 0) return void setTimeout(take, rest);
      const field = typedIn(document.body);
      next = undefined;
      if (isTyped(element) || !field || !isUnsent(field)) dom(element).focus();
    };
    if (!isYes(value) && next === element) next = undefined;
    if (!isYes(value) || isYes(before)) return;
    next = element;
    take();
  });
}
