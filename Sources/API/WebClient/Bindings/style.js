// `data-style-width="width | px"`: shows a value as a style.

import { textOf } from '../Expressions/truth.js';
import { dom } from '../Page/dom.js';
import { showing } from './showing.js';

export const style = showing('style-', (element, value, name) => dom(element).style.setProperty(name, textOf(value)));
