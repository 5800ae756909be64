// The log of what happens, the newest entry first.

import { elementOf } from '../Page/elements.js';
import { written } from './differences.js';

const most = { entries: 500, lines: 20 };
const kinds = {
  '': 'Everything', input: 'Inputs', action: 'Actions', state: 'State', effect: 'Effects', alarm: 'Alarms and messages', error: 'Errors',
};

/** Returns a list of the differences between two States. */
export function changeList(changes) {
  const lines = changes.slice(0, most.lines).map(({ path, before, after }) => elementOf('li', {},
    elementOf('code', { dir: 'auto' }, `${path ? `${path}: ` : ''}${written(before)} → ${written(after)}`)));
  if (changes.length > lines.length) lines.push(elementOf('li', { className: 'hint' }, `and ${changes.length - lines.length} more`));
  return elementOf('ul', {}, ...lines);
}

export class Log {
  #list;
  #kind = elementOf('select', {}, ...Object.entries(kinds).map(([value, name]) => elementOf('option', { value }, name)));
  #search = elementOf('input', { type: 'search' });

  /** Adds to `filter` the fields that choose which entries are shown. */
  constructor(list, filter) {
    this.#list = list;
    const choose = () => { for (const entry of list.children) this.#choose(entry); };
    Object.assign(this.#kind, { onchange: choose });
    Object.assign(this.#search, { oninput: choose });
    filter.replaceChildren(...[['Show', this.#kind], ['Search in what happens', this.#search]].map(([name, control]) =>
      elementOf('label', {}, elementOf('span', {}, name), control)));
  }

  /** Adds an Input that was sent; returns a function that sets its outcome. */
  input(text, command) {
    const outcome = elementOf('span', { className: 'hint' }, 'on its way');
    this.add('input', 'Input', new Date(), elementOf('code', { dir: 'auto' }, text), ' ', outcome, command);
    return (words) => { outcome.textContent = words; };
  }

  state(version, changes) {
    this.add('state', `State, version ${version}`, new Date(), changeList(changes));
  }

  settled() { this.add('settled', 'Settled', new Date(), elementOf('span', { className: 'hint' }, 'nothing is at work any more')); }

  add(kind, title, time, ...content) {
    const when = elementOf('time', { className: 'hint', dateTime: time.toISOString() }, time.toLocaleTimeString());
    const entry = elementOf('li', { className: kind }, elementOf('strong', {}, title), ' ', when, ' ', ...content);
    this.#list.prepend(entry);
    this.#choose(entry);
    while (this.#list.children.length > most.entries) this.#list.lastChild.remove();
  }

  #choose(entry) {
    const isOfKind = !this.#kind.value || entry.className === this.#kind.value;
    entry.hidden = !isOfKind || !entry.textContent.toLowerCase().includes(this.#search.value.toLowerCase());
  }
}
