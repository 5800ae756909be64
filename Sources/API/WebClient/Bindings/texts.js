// Texts with expressions. A browser's translation puts `font` elements in place of text nodes, and scripts join or remove them: a
// comment behind the text keeps its place.

import { watching } from './watching.js';

const isInstead = (node) => node instanceof Text || node?.localName === 'font' && !node.querySelector(':not(font)');

/** Plans a text node. */
export function textStep(node, text) {
  node.after(document.createComment(''));
  return (node, scope) => {
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
    return watching(text, show, () => show(node, ''))(node, scope);
  };
}
