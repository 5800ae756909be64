// `data-text="value"`: shows a value as the element's text.

import { textOf } from '../Expressions/truth.js';
import { dom } from '../Page/dom.js';
import { showing } from './showing.js';

export const text = {
  ...showing('text', (element, value) => { if (dom(element).textContent !== textOf(value)) dom(element).textContent = textOf(value); }),
  isContent: true,
};
