// The State of a version that is chosen: one that came while the page is open, or one that the service has stored.

import { elementOf } from '../Page/elements.js';
import { commandOf, forking } from './commands.js';
import { differences } from './differences.js';
import { changeList, precise, senderOf } from './log.js';
import { asked } from './service.js';
import { addressOf } from './sessions.js';
import { stateTree } from './tree.js';

const most = { entries: 5000, states: 200, atFirst: 50, more: 200 };

export class Past {
  #log;
  #id;
  #entries = []; // the oldest first: {version, time, state}; a State that is missing is stored
  #chosen; // the entry that is shown instead of the newest
  #wanted; // the entry that is to be shown next
  #isOpening = false;
  #fetched = new Map(); // promises of stored States, by version
  #title;
  #showState;
  #isStored;
  #slider = elementOf('input', { type: 'range', min: 0, ariaLabel: 'Version', oninput: () => this.#choose(this.#entries[this.#slider.value]) });
  #now = button('Now', () => this.#choose(this.#newest));
  #earlier = button('Earlier versions', () => this.#attempt(() => this.#load(most.more)));
  #bar = elementOf('div', { className: 'ends past', hidden: true }, this.#slider, this.#now, this.#earlier);
  #said = elementOf('p', { role: 'status', className: 'hint' });
  #rest = elementOf('p', { className: 'hint' });
  #happened = elementOf('ul');
  #changed = elementOf('div');
  #command = elementOf('p');
  #details = elementOf('div', { hidden: true }, this.#happened, this.#changed);
  #alert = elementOf('p', { role: 'alert', className: 'error' });

  /** `tree` is the list that shows State, `title` the element for its version; `log` gets what is stored. */
  constructor(place, title, tree, log) {
    [this.#log, this.#title] = [log, title];
    this.#showState = stateTree(tree, (path) => log.search(path));
    this.#isStored = 'stored' in place.dataset;
    if (this.#isStored) this.#details.append(button('Go on from here in a new session', () => this.#attempt(() => this.#fork())), this.#command);
    place.prepend(this.#bar, this.#said, this.#rest, this.#alert, this.#details);
    this.#earlier.hidden = true;
    log.onversion = (version) => this.#attempt(() => this.#find(version));
  }

  get #newest() { return this.#entries.at(-1); }

  /** Shows another session. */
  follow(id) {
    [this.#id, this.#entries, this.#chosen, this.#wanted] = [id, [], undefined, undefined];
    this.#fetched.clear();
    this.#earlier.hidden = true;
    this.#rest.textContent = '';
  }

  /** Adds the newest State, and shows it unless another version is chosen. */
  add(version, state) {
    const isFirst = !this.#entries.length;
    this.#entries.push({ version, time: new Date(), state });
    if (this.#entries.length > most.entries) this.#entries.shift();
    const old = this.#entries.at(-1 - most.states);
    if (old && this.#isStored) delete old.state;
    if (!this.#chosen) this.#showState(state);
    this.#place();
    // With what led to this State, which happened before the page was open. Who may not see that is told when they ask.
    if (isFirst && this.#isStored && version > 1) this.#load(most.atFirst, version + 1).catch(() => {});
  }

  /** Shows where the entry stands that is shown. */
  #place() {
    const entry = this.#chosen ?? this.#newest;
    if (!entry) return; // of another session, whose State has not come yet
    const [isNow, words] = [!this.#chosen, `version ${entry.version}, ${precise(entry.time)}`];
    const place = { max: this.#entries.length - 1, value: this.#entries.indexOf(entry), ariaValueText: words };
    for (const name of Object.keys(place)) this.#slider[name] = place[name];
    this.#bar.hidden = this.#entries.length < 2 && this.#earlier.hidden;
    this.#now.hidden = this.#details.hidden = isNow;
    this.#title.textContent = isNow ? `version ${entry.version}` : `version ${entry.version} of ${this.#newest.version}`;
    this.#said.textContent = isNow ? '' : words;
  }

  /** Shows an entry once all has come that it needs; of those that are chosen meanwhile only the last counts. */
  async #choose(entry) {
    this.#wanted = entry;
    if (this.#isOpening) return;
    this.#isOpening = true;
    while (this.#wanted) {
      const next = this.#wanted;
      this.#wanted = undefined;
      await this.#attempt(() => this.#open(next));
    }
    this.#isOpening = false;
    this.#place();
  }

  async #open(entry) {
    const [id, last] = [this.#id, this.#entries[this.#entries.indexOf(entry) - 1]];
    const [state, before, lines] = await Promise.all([
      this.#stateOf(entry), last && this.#stateOf(last).catch(() => undefined), this.#linesOf(entry),
    ]);
    if (id !== this.#id || this.#wanted) return;
    this.#chosen = entry === this.#newest ? undefined : entry;
    this.#showState(state);
    this.#happened.replaceChildren(...lines.map((line) => elementOf('li', {}, elementOf('code', { dir: 'auto' }, sentenceOf(line)))));
    this.#changed.replaceChildren(...before === undefined ? [] : [changeList(differences(before, state))]);
    this.#command.replaceChildren(commandOf('go on from here in a new session', forking(id, entry.version)));
  }

  /** Chooses a version that the log leads to, even if its State never came here. */
  async #find(version) {
    const id = this.#id;
    const at = () => this.#entries.findLastIndex((one) => one.version <= version);
    const isHere = this.#entries[at()]?.version === version || version >= this.#newest.version;
    if (isHere || !this.#isStored) return this.#choose(this.#entries[Math.max(0, at())]);
    const { time, state } = await asked(`${id}/versions/${version}`);
    if (id !== this.#id) return undefined;
    if (this.#entries[at()]?.version !== version) this.#entries.splice(at() + 1, 0, { version, time: new Date(time), state });
    return this.#choose(this.#entries[at()]);
  }

  async #stateOf({ version, state }) {
    if (state !== undefined) return state;
    if (!this.#fetched.has(version)) {
      if (this.#fetched.size > most.states) this.#fetched.clear();
      const [all, answer] = [this.#fetched, asked(`${this.#id}/versions/${version}`).then((one) => one.state)];
      all.set(version, answer);
      // A failed request is sent again next time.
      answer.catch(() => all.delete(version));
    }
    return this.#fetched.get(version);
  }

  /** Returns what led to a version, as stored. */
  async #linesOf(entry) {
    if (!entry.trace && this.#isStored) {
      const { versions } = await asked(`${this.#id}/versions?limit=1&before=${entry.version + 1}`);
      entry.trace = versions.find((one) => one.version === entry.version)?.trace;
    }
    return entry.trace ?? [];
  }

  /** Adds stored versions before those that are here, to the log as well. */
  async #load(limit, before = this.#entries[0].version) {
    const id = this.#id;
    this.#earlier.disabled = true;
    const { versions, next } = await asked(`${id}/versions?limit=${limit}&before=${before}`).finally(() => { this.#earlier.disabled = false; });
    if (id !== this.#id) return;
    const older = versions.reverse().map((one) => ({ ...one, time: new Date(one.time) }));
    for (const { version, time, trace } of older) this.#log.stored(version, time, trace);
    this.#entries = [...older.filter(({ version }) => version < this.#entries[0].version), ...this.#entries];
    this.#earlier.hidden = !next;
    const [first] = this.#entries;
    this.#rest.textContent = !next && first.version > 1 ? `Versions before ${first.version} are not kept. Start with --history-days to keep more.` : '';
    this.#place();
  }

  async #fork() {
    location.hash = addressOf((await asked(`${this.#id}/forks`, { version: this.#chosen.version })).id);
  }

  /** Runs work that the service may refuse, and shows the refusal. */
  async #attempt(work) {
    this.#alert.textContent = '';
    try {
      await work();
    } catch ({ message }) {
      this.#alert.textContent = message;
    }
  }
}

function button(words, onclick) {
  return elementOf('button', { type: 'button', className: 'small', onclick }, words);
}

/** Returns a line of a trace as a sentence: who sent what. */
function sentenceOf(line) {
  const { input, action, text, sent, ...other } = line;
  if (input !== undefined) return `Input ${JSON.stringify(input)} ${senderOf(line)}`;
  const done = action ?? text;
  return done === undefined ? JSON.stringify(other) : `${sent ? 'Action of an effect' : 'Action'} ${JSON.stringify(done)}`;
}
