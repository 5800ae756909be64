// Whether somebody types: the next letters are meant for his field, and a blank would press what has got the focus.

import { isYes } from '../Bindings/truth.js';
import { expression } from '../Bindings/expressions.js';
import { isUnsent, typedIn } from '../Bindings/focus.js';
import { localOf } from '../Bindings/scopes.js';
import { isTyped } from '../Bindings/values.js';
import { watching } from '../Bindings/watching.js';

const pause = 1000;
let typedAt = 0; // when the newest letter was that its field has not taken yet
addEventListener('input', () => { typedAt = Date.now(); }, true);
addEventListener('change', () => { typedAt = 0; }, true);

/** The user asks for something himself: nothing that he types next is meant for the field. */
export const wasAsked = () => { typedAt = 0; };

/** How long to wait, in milliseconds, until he has typed nothing for a second; not at all for what the page itself says. */
export const restOfTyping = (shown) => (localOf(shown) ? 0 : typedAt + pause - Date.now());

let next; // the element that is to have the focus

/** `data-focus`: from one who types it takes the focus once he pauses, and none but a field takes it from unsent text. */
export function focusStep(element, plan) {
  const wanted = plan.read(element, 'data-focus', expression);
  return wanted && watching(wanted, (element, value, before) => {
    const take = () => {
      if (next !== element) return;
      const rest = restOfTyping(wanted);
      if (rest > 0) return void setTimeout(take, rest);
      const field = typedIn(document.body);
      next = undefined;
      if (isTyped(element) || !field || !isUnsent(field)) element.focus();
    };
    if (!isYes(value) && next === element) next = undefined;
    if (!isYes(value) || isYes(before)) return;
    next = element;
    take();
  });
}
