// The log of what happens, the newest entry first.

import { elementOf } from '../Page/elements.js';
import { written } from './differences.js';

const most = { entries: 2000, lines: 20 };
const kinds = {
  '': 'Everything', input: 'Inputs', action: 'Actions', state: 'State', effect: 'Effects', alarm: 'Alarms and messages', error: 'Errors',
};
/** What comes first of one version and moment: the cause. */
const order = ['input', 'action', 'effect', 'alarm', 'error', 'state', 'settled'];
/** The milliseconds by which the time of a State, which is that of its arrival, may be wrong. */
const tolerance = 50;

function isBefore(one, other) {
  const areKnown = one.version !== undefined && other.version !== undefined;
  if (areKnown && one.version !== other.version) return one.version < other.version;
  // What the service tells comes in order.
  if (one.serial && other.serial && areKnown) return one.serial < other.serial;
  const gap = one.time - other.time;
  return Math.abs(gap) <= (areKnown ? tolerance : 0) ? one.rank < other.rank : gap < 0;
}

const clock = new Intl.DateTimeFormat([], { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });

/** Returns the time of day with milliseconds, behind the date unless that is today. */
export function precise(time) {
  const isToday = time.toDateString() === new Date().toDateString();
  return isToday ? clock.format(time) : `${time.toLocaleDateString()} ${clock.format(time)}`;
}

/** Returns who sent an Input, as a line of a trace names them; '' for an anonymous client. */
export const senderOf = ({ sender, from }) => [sender && `of ${sender}`, from && `from session ${from}`].filter(Boolean).join(', ');

/** Returns a list of the differences between two States. */
export function changeList(changes) {
  const lines = changes.slice(0, most.lines).map(({ path, before, after }) => elementOf('li', {},
    elementOf('code', { dir: 'auto' }, `${path ? `${path}: ` : ''}${written(before)} → ${written(after)}`)));
  if (changes.length > lines.length) lines.push(elementOf('li', { className: 'hint' }, `and ${changes.length - lines.length} more`));
  return elementOf('ul', {}, ...lines);
}

export class Log {
  #list;
  #ahead = Infinity; // the milliseconds that this clock is ahead of the service's, at most
  #serial = 0; // the number of entries that the service has told
  #cause = {}; // the first Action heard of the newest version
  #kind = elementOf('select', {}, ...Object.entries(kinds).map(([value, name]) => elementOf('option', { value }, name)));
  #search = elementOf('input', { type: 'search', placeholder: 'Search' });

  /** Called with a version when the user asks for its State. */
  onversion = () => {};

  /** Adds to `filter` the fields that choose which entries are shown. */
  constructor(list, filter) {
    this.#list = list;
    this.#kind.onchange = this.#search.oninput = () => this.#chooseAll();
    filter.replaceChildren(...[['Show', this.#kind], ['Search in what happens', this.#search]].map(([name, control]) =>
      elementOf('label', {}, elementOf('span', {}, name), control)));
  }

  /** Begins the log of another session. */
  clear() {
    this.#list.replaceChildren();
    this.#ahead = Infinity;
    this.#cause = {};
  }

  /** Shows the entries with a text: the history of a member, by its path. */
  search(text) {
    this.#search.value = text;
    this.#chooseAll();
    this.#search.focus();
  }

  /** Adds an Input that was sent; returns a function that sets its outcome: a version, or words. */
  input(text, command) {
    const outcome = elementOf('span', { className: 'hint' }, 'on its way');
    this.#add('input', 'Input', { time: this.#present }, elementOf('code', { dir: 'auto' }, text), ' ', outcome, command);
    return (end) => outcome.replaceChildren(typeof end === 'number' ? this.#leadingTo(end, `version ${end}`) : end);
  }

  /** Adds a State that arrives: its time is that of the Action that led to it, if the service has told it. */
  state(version, changes) {
    const time = this.#cause.version === version ? this.#cause.time : this.#present;
    this.#add('state', `State, version ${version}`, { time, version }, changeList(changes));
  }

  settled() {
    this.#add('settled', 'Settled', { time: this.#present }, elementOf('span', { className: 'hint' }, 'nothing is at work any more'));
  }

  /** Adds an event of the service, which may come later than what it has led to. */
  heard(kind, title, { time: text, version }, ...content) {
    const time = text ? new Date(text) : this.#present;
    if (text) this.#ahead = Math.min(this.#ahead, Date.now() - time);
    this.#serial += 1;
    if (kind === 'action' && !(version <= this.#cause.version)) {
      this.#cause = { version, time };
      for (const { className, made } of this.#list.children) {
        if (className === 'state' && made.version === version) made.time = Number(time);
      }
    }
    this.#add(kind, title, { time, version, serial: this.#serial }, ...content);
  }

  /** Adds a version that was stored before this page was opened, with what led to it. */
  stored(version, time, trace) {
    for (const line of trace) {
      const { input, action, text, sent, error = line.unwritable } = line;
      const done = input ?? action ?? text ?? error;
      if (done === undefined) continue;
      const [kind, title] = done === input ? ['input', 'Input'] : done === error ? ['error', 'Error'] : ['action', sent ? 'Action sent' : 'Action'];
      this.heard(kind, title, { time, version }, elementOf('code', { dir: 'auto' }, written(done)),
        ' ', elementOf('span', { className: 'hint' }, senderOf(line)));
    }
    this.heard('state', `State, version ${version}`, { time, version });
  }

  /** The time by the service's clock, as far as that is known. */
  get #present() { return new Date(Date.now() - (Number.isFinite(this.#ahead) ? this.#ahead : 0)); }

  #leadingTo(version, words) {
    return elementOf('button', { type: 'button', className: 'link', title: 'Shows this State', onclick: () => this.onversion(version) }, words);
  }

  #add(kind, title, { time, version, serial }, ...content) {
    const when = elementOf('time', { className: 'hint', dateTime: time.toISOString() }, precise(time));
    const name = elementOf('strong', {}, version === undefined ? title : this.#leadingTo(version, title));
    const entry = elementOf('li', { className: kind }, name, ' ', when, ' ', ...content);
    entry.made = { version, time: Number(time), rank: order.indexOf(kind), serial };
    this.#list.insertBefore(entry, [...this.#list.children].find((other) => !isBefore(entry.made, other.made)) ?? null);
    this.#choose(entry);
    while (this.#list.children.length > most.entries) this.#list.lastChild.remove();
  }

  #chooseAll() { for (const entry of this.#list.children) this.#choose(entry); }

  #choose(entry) {
    const isOfKind = !this.#kind.value || entry.className === this.#kind.value;
    entry.hidden = !isOfKind || !entry.textContent.toLowerCase().includes(this.#search.value.toLowerCase());
  }
}
