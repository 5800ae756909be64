// `data-focus="isEditing"`: gives an element the focus when a value becomes true.

import { expression } from '../Expressions/expressions.js';
import { isYes } from '../Expressions/truth.js';
import { watching } from '../Expressions/watching.js';
import { isTyped } from '../Fields/values.js';
import { dom } from '../Page/dom.js';
import { isUnsent, typedIn } from '../Page/focus.js';
import { restOfTyping } from '../Page/typing.js';

let next; // the element that is to have the focus

/** Waits until the user pauses typing; only a field takes the focus from unsent text. */
export const focus = {
  name: 'focus',
  plan: (element, plan) => plan.read(element, 'data-focus', expression),

  apply: (element, scope, wanted) => watching(wanted, element, scope, (element, value, before) => {
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
  }),
};
