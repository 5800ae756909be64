// Texts with expressions. A browser's translation puts `font` elements in place of text nodes, and scripts join or remove them: a
// comment behind the text keeps its place.

import { template } from '../Expressions/expressions.js';
import { watching } from '../Expressions/watching.js';

const isInstead = (node) => node instanceof Text || node?.localName === 'font' && !node.querySelector(':not(font)');

/** The binding of a text node. */
export const texts = {
  plan(node, plan) {
    const text = plan.read(node, 'text', template);
    if (text) node.after(document.createComment(''));
    return text;
  },
  apply(node, scope, text) {
    const { previousSibling: before, nextSibling: end } = node;
    let around;
    const show = (node, value) => {
      node.data = value;
      around = end.parentNode ?? around;
      if (around.contains(node)) return;
      if (!end.parentNode) around.append(end);
      while (end.previousSibling !== before && isInstead(end.previousSibling)) end.previousSibling.remove();
      end.before(node);
    };
    return watching(text, node, scope, show, () => show(node, ''));
  },
};
