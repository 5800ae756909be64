// Attributes of elements.

import { textOf } from '../Expressions/truth.js';
import { dom } from './dom.js';

/** Sets an attribute; removes it for null, undefined and false. */
export function setAttribute(element, name, value, space) {
  const its = dom(element);
  if (value === null || value === undefined || value === false) its.removeAttribute(name);
  else if (its.getAttribute(name) !== value) {
    const text = value === true ? '' : textOf(value);
    if (space) its.setAttributeNS(space, name, text);
    else its.setAttribute(name, text);
  }
}
