// State as a tree, in which what changed flashes.

import { elementOf } from '../Page/elements.js';
import { pathWithin } from './differences.js';

// How many members are shown at first, and how many more by each click.
const step = 100;
/** Longer branches start closed, and close as they become longer, so that the section below State stays in sight. */
const mostOpen = 25;
const isLong = (value) => Object.keys(value).length > mostOpen;
const isBranch = (value) => value !== null && typeof value === 'object';

/** Shows a State, and each newer one, in a list; `ask` is called with the path of a member whose name was clicked. */
export function stateTree(list, ask) {
  let root;
  return (state) => {
    for (const element of list.querySelectorAll('.changed')) element.classList.remove('changed');
    root = root?.update(state) ?? start(state);
  };

  function start(state) {
    list.replaceChildren();
    if (isBranch(state)) return membersOf(state, list, () => '', ask);
    const node = leaf(elementOf('span', { className: 'name' }, 'State'), state);
    list.append(node.element);
    return node;
  }
}

/** Returns a node; its `update` returns undefined if the new value needs another kind of node. */
function nodeOf(name, value, path, ask) {
  if (isBranch(value)) return branch(name, value, path, ask);
  return leaf(elementOf('button', { type: 'button', className: 'name', title: 'Shows its history', onclick: () => ask(path()) }, name), value);
}

const textOf = (value) => elementOf('code', { dir: 'auto' }, JSON.stringify(value));

function leaf(name, value) {
  let text = textOf(value);
  const node = {
    element: elementOf('li', {}, name, ' ', text),
    update(newer) {
      if (isBranch(newer)) return undefined;
      if (newer !== value) {
        value = newer;
        const old = text;
        // A new element restarts the animation.
        text = textOf(value);
        text.className = 'changed';
        old.replaceWith(text);
      }
      return node;
    },
  };
  return node;
}

function branch(name, value, path, ask) {
  const [list, size] = [elementOf('ul'), elementOf('span', { className: 'hint' })];
  const isArray = Array.isArray(value);
  const members = membersOf(value, list, path, ask);
  // Closes by itself once, and not after the user has clicked.
  let mayClose = !isLong(value);
  const summary = elementOf('summary', { onclick: () => { mayClose = false; } },
    elementOf('span', { className: 'name' }, name), ' ', size);
  const details = elementOf('details', { open: mayClose }, summary, list);
  const node = {
    element: elementOf('li', {}, details),
    update(newer) {
      if (!isBranch(newer) || Array.isArray(newer) !== isArray) return undefined;
      members.update(newer);
      size.textContent = sizeOf(newer);
      if (mayClose && isLong(newer)) details.open = mayClose = false;
      return node;
    },
  };
  size.textContent = sizeOf(value);
  return node;
}

function sizeOf(value) {
  const count = Object.keys(value).length;
  const word = Array.isArray(value) ? 'element' : 'member';
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** The members of an object, or the elements of an array, in a list. */
function membersOf(value, list, path, ask) {
  let limit = step;
  const nodes = new Map();
  const more = elementOf('button', { type: 'button', className: 'small', onclick: () => {
    limit += step;
    show(false);
  } });
  const last = elementOf('li', {}, more);

  function show(flashes) {
    const names = Object.keys(value);
    const shown = new Set(names.slice(0, limit));
    for (const [name, { element }] of nodes) {
      if (shown.has(name)) continue;
      element.remove();
      nodes.delete(name);
    }
    for (const [index, name] of [...shown].entries()) {
      const known = nodes.get(name);
      const node = known?.update(value[name]) ?? nodeOf(name, value[name], () => pathWithin(path(), value, name), ask);
      if (node === known) continue;
      if (flashes) node.element.classList.add('changed');
      if (known) known.element.replaceWith(node.element);
      else list.insertBefore(node.element, list.children[index] ?? null);
      nodes.set(name, node);
    }
    more.textContent = `Show more of ${names.length - limit}`;
    if (names.length > limit) list.append(last);
    else last.remove();
  }
  show(false);
  return {
    update(newer) {
      if (!isBranch(newer)) return undefined;
      if (newer !== value) {
        value = newer;
        show(true);
      }
      return this;
    },
  };
}
