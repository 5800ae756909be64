// What the author of a page should correct, said once; the rest of the page works.

import { named } from '../Core/prefix.js';

const said = new Set();

/** Answers undefined, as there is nothing to go on with. */
export function reportMistake(node, where, advice, level = 'error') {
  const element = node.localName ? node : node.parentElement;
  const sentence = `<${element.localName}> ${named(where)}: ${advice}`;
  if (!said.has(sentence)) console[level](sentence, element);
  said.add(sentence);
}
