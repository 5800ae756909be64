// The attributes and formats that need the second module. The service puts a link to the second module into the head of a page
// that has any of them: see WebClient.swift, which has the same names.

import { isAwaited } from '../Service/more.js';
import { dom } from './dom.js';
import { named } from './prefix.js';

const marks = new RegExp(named('data-(address|confirm|drag|drop|error|focus|include|keys|local|open|pulse|scope|sort|transition)\\b'
  + '|\\| ?(currency|date|datetime|list|number|percent|relative|time)\\b'
  + '| type=.(date|datetime-local|month|time)\\b'));

/** Whether an element, or the document, has to wait for the second module. */
export const isMoreNeeded = (root) => isAwaited() && [root, ...dom(root).children].some((node) => marks.test(dom(node).outerHTML));
