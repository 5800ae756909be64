// `data-class-done="isDone"`: gives the element a class while a value is true.

import { isYes } from '../Expressions/truth.js';
import { dom } from '../Page/dom.js';
import { showing } from './showing.js';

export const classes = showing('class-', (element, value, name) => dom(element).classList.toggle(name, isYes(value)));
