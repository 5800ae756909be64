// What happens, the newest on top.

import { elementOf } from '../More/elements.js';
import { written } from './differences.js';

const most = { entries: 200, lines: 20 };

/** What differs between two States, in a list. */
export function changeList(changes) {
  const lines = changes.slice(0, most.lines).map(({ path, before, after }) => elementOf('li', {},
    elementOf('code', { dir: 'auto' }, `${path ? `${path}: ` : ''}${written(before)} → ${written(after)}`)));
  if (changes.length > lines.length) lines.push(elementOf('li', { className: 'hint' }, `and ${changes.length - lines.length} more`));
  return elementOf('ul', {}, ...lines);
}

export class Log {
  #list;

  constructor(list) {
    this.#list = list;
  }

  /** An Input that was sent; answers a function that says what came of it. */
  input(text, command) {
    const outcome = elementOf('span', { className: 'hint' }, 'on its way');
    this.#add('input', 'Input', elementOf('code', { dir: 'auto' }, text), ' ', outcome, command);
    return (words) => { outcome.textContent = words; };
  }

  state(version, changes) {
    this.#add('state', `State, version ${version}`, changeList(changes));
  }

  settled() { this.#add('settled', 'Settled', elementOf('span', { className: 'hint' }, 'nothing is at work any more')); }

  #add(kind, title, ...content) {
    const time = elementOf('time', { className: 'hint' }, new Date().toLocaleTimeString());
    this.#list.prepend(elementOf('li', { className: kind }, elementOf('strong', {}, title), ' ', time, ' ', ...content));
    while (this.#list.children.length > most.entries) this.#list.lastChild.remove();
  }
}
