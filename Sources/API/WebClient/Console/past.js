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
  #title;
  #showState;
  #isStored;
  #slider = elementOf('input', { type: 'range', min: 0, ariaLabel: 'Version', oninput: () => this.#choose(this.#entries[this.#slider.value]) });
  #now = button('Now', () => this.#choose(this.#entries.at(-1)));
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

  /** Shows another session. */
  follow(id) {
    [this.#id, this.#entries, this.#chosen] = [id, [], undefined];
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
    this.#show(this.#chosen ?? this.#entries.at(-1), state);
    // With what led to this State, which happened before the page was open.
    if (isFirst && this.#isStored && version > 1) this.#attempt(() => this.#load(most.atFirst, version + 1));
  }

  /** Shows an entry, whose State is at hand. */
  #show(entry, state) {
    const newest = this.#entries.at(-1);
    const isNow = entry === newest;
    this.#chosen = isNow ? undefined : entry;
    const words = `version ${entry.version}, ${precise(entry.time)}`;
    const place = { max: this.#entries.length - 1, value: this.#entries.indexOf(entry), ariaValueText: words };
    for (const name of Object.keys(place)) this.#slider[name] = place[name];
    this.#bar.hidden = this.#entries.length < 2 && this.#earlier.hidden;
    this.#now.hidden = this.#details.hidden = isNow;
    this.#title.textContent = isNow ? `version ${entry.version}` : `version ${entry.version} of ${newest.version}`;
    if (state !== undefined && (isNow || state === entry.state)) this.#showState(state);
    if (isNow) this.#said.textContent = '';
  }

  #choose(entry) {
    return this.#attempt(async () => {
      this.#chosen = entry === this.#entries.at(-1) ? undefined : entry;
      const last = this.#entries[this.#entries.indexOf(entry) - 1];
      const [state, before, lines] = await Promise.all([
        this.#stateOf(entry), last && this.#stateOf(last).catch(() => undefined), this.#linesOf(entry),
      ]);
      if ((this.#chosen ?? this.#entries.at(-1)) !== entry) return;
      this.#show(entry, state);
      this.#showState(state);
      if (!this.#chosen) return;
      this.#said.textContent = `version ${entry.version}, ${precise(entry.time)}`;
      this.#happened.replaceChildren(...lines.map((line) => elementOf('li', {}, elementOf('code', { dir: 'auto' }, sentenceOf(line)))));
      this.#changed.replaceChildren(...before === undefined ? [] : [changeList(differences(before, state))]);
      this.#command.replaceChildren(commandOf('go on from here in a new session', forking(this.#id, entry.version)));
    });
  }

  /** Chooses a version that the log leads to, even if its State never came here. */
  async #find(version) {
    const index = this.#entries.findLastIndex((one) => one.version <= version);
    if (this.#entries[index]?.version === version || !this.#isStored) return this.#choose(this.#entries[Math.max(0, index)]);
    const id = this.#id;
    const { time, state } = await asked(`${id}/versions/${version}`);
    if (id !== this.#id) return undefined;
    const entry = { version, time: new Date(time), state };
    this.#entries.splice(this.#entries.findLastIndex((one) => one.version < version) + 1, 0, entry);
    return this.#choose(entry);
  }

  async #stateOf(entry) {
    return entry.state ?? (await asked(`${this.#id}/versions/${entry.version}`)).state;
  }

  /** Returns what led to a version, as stored. */
  async #linesOf({ version, trace }) {
    if (trace || !this.#isStored) return trace ?? [];
    const { versions } = await asked(`${this.#id}/versions?limit=1&before=${version + 1}`);
    return versions.find((one) => one.version === version)?.trace ?? [];
  }

  /** Adds stored versions before those that are here, to the log as well. */
  async #load(limit, before = this.#entries[0].version) {
    const id = this.#id;
    const { versions, next } = await asked(`${id}/versions?limit=${limit}&before=${before}`);
    if (id !== this.#id) return;
    const older = versions.reverse().map((one) => ({ ...one, time: new Date(one.time) }));
    for (const { version, time, trace } of older) this.#log.stored(version, time, trace);
    this.#entries = [...older.filter(({ version }) => version < this.#entries[0].version), ...this.#entries];
    this.#earlier.hidden = !next;
    const [first] = this.#entries;
    this.#rest.textContent = !next && first.version > 1 ? `Versions before ${first.version} are not kept. Start with --history-days to keep more.` : '';
    this.#show(this.#chosen ?? this.#entries.at(-1));
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
