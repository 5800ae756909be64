// Bindings that show a value.

import { expression } from '../Expressions/expressions.js';
import { watching } from '../Expressions/watching.js';
import { reportMistake } from '../Page/mistakes.js';

/**
 * Returns a binding that calls `show(element, value, target)` when the value changes, and `showNothing(element)` until there is a
 * State. `targetOf(element, rest)` returns what the rest of the attribute's name stands for; with `isCode(rest)`, it would run code.
 */
export const showing = (name, show, { targetOf = (_, rest) => rest, isCode, showNothing } = {}) => ({
  name,
  plan(element, plan, rest) {
    const attribute = `data-${name}${rest}`;
    if (isCode?.(rest) || element.localName === 'script' && !/json/.test(element.type)) return reportMistake(element, attribute, 'no code is run; use data-input');
    const value = plan.read(element, attribute, expression);
    return value && { value, target: targetOf(element, rest) };
  },
  apply: (element, scope, { value, target }) =>
    watching(value, element, scope, (element, value) => show(element, value, target), showNothing),
});

/** Returns `scrollTop` for `scroll-top`. */
export const camelCase = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
