// Reports mistakes of a page's author in the console, each once; the rest of the page works.

import { dom } from './dom.js';
import { named } from './prefix.js';

const said = new Set();

/** Returns undefined, in place of what the mistake prevents. */
export function reportMistake(node, where, advice, level = 'error') {
  const element = node.localName ? node : node.parentElement;
  const sentence = `<${dom(element).localName}> ${named(where)}: ${advice}`;
  if (!said.has(sentence)) console[level](sentence, element);
  said.add(sentence);
}
