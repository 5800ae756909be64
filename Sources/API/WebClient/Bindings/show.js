// `data-show="isOpen"`: hides the element while a value is not true.

import { isYes } from '../Expressions/truth.js';
import { hide } from '../Page/focus.js';
import { showing } from './showing.js';

export const show = showing('show', (element, value) => hide(element, !isYes(value)), { showNothing: (element) => hide(element, true) });
