// The nodes of a list's row, `{nodes: [first, last]}`.

import { dom } from '../Page/dom.js';

export function nodesOf({ nodes: [first, last] }) {
  const nodes = [];
  for (let node = first; node; node = node === last ? null : dom(node).nextSibling) nodes.push(node);
  return nodes;
}

export const elementsOf = (row) => nodesOf(row).filter((node) => node.localName);
