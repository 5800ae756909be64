// Whether the user types: a new focus would take the next letters, and a blank would press a newly focused button.

import { localOf } from '../Expressions/scopes.js';

const pause = 1000;
let typedAt = -pause; // the time of the newest key in a field that has had no `change` since
addEventListener('input', () => { typedAt = performance.now(); }, true);
addEventListener('change', () => { typedAt = -pause; }, true);

/** Ends the wait: the user has pressed a shortcut, and does not type in the field. */
export const wasAsked = () => { typedAt = -pause; };

/** Returns the milliseconds until the user has typed nothing for a second; 0 for what `data-local` shows. */
export const restOfTyping = (shown) => (localOf(shown) ? 0 : typedAt + pause - performance.now());
