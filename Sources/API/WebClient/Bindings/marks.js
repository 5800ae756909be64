// What cannot be shown without the rest of the client. A page that has it gets that together with the client, by a link
// that the service puts into its head: see WebClient.swift, which has the same names.

import { isAwaited } from '../Core/more.js';
import { named } from '../Core/prefix.js';

const marks = new RegExp(named('data-(address|confirm|drag|drop|error|focus|include|keys|local|open|pulse|scope|sort|transition)\\b'
  + '|\\| ?(currency|date|datetime|list|number|percent|relative|time)\\b'));

/** Whether an element, or the document, has what has to wait for it. */
export const isMoreNeeded = (root) => isAwaited() && [root, ...root.children].some(({ outerHTML }) => marks.test(outerHTML));
