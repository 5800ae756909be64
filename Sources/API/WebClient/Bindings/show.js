// `data-show="isOpen"`: hides the element while a value is not true.

import { isYes } from '../Expressions/truth.js';
import { focusing } from '../Page/focusing.js';
import { showing } from './showing.js';

export const show = showing('show', (element, value) => focusing.hide(element, !isYes(value)), {
  showNothing: (element) => focusing.hide(element, true),
});
