// A slider over a session's stored versions, if the service shows them: then the page has a place for it.

import { elementOf } from '../Page/elements.js';
import { commandOf, forking } from './commands.js';
import { differences } from './differences.js';
import { changeList } from './log.js';
import { asked } from './service.js';
import { addressOf } from './sessions.js';
import { stateTree } from './tree.js';

const most = { matches: 20, states: 100 };
const button = (words, onclick) => elementOf('button', { type: 'button', className: 'small', onclick }, words);

export function travel(place, idOf) {
  // `versions`: the oldest first; `states`: promises by version.
  let [id, versions, next, states] = ['', [], undefined, new Map()];
  const slider = elementOf('input', { type: 'range', min: 0, oninput: () => show(Number(slider.value)) });
  const search = elementOf('input', { type: 'search', oninput: find });
  const [said, found] = [elementOf('p', { role: 'status', className: 'hint' }), elementOf('ul', { className: 'sessions' })];
  const [happened, changed, tree] = [elementOf('ul'), elementOf('div'), elementOf('ul', { className: 'tree' })];
  const [rest, command] = [elementOf('p', { className: 'hint' }), elementOf('p')];
  const earlier = button('Earlier versions', () => load(next));
  const desk = elementOf('div', { hidden: true },
    elementOf('label', {}, elementOf('span', {}, 'Version'), slider), said, rest,
    elementOf('label', {}, elementOf('span', {}, 'Search in what led to the versions that are here'), search), found,
    happened, changed, tree, button('Go on from here in a new session', () => fork()), command);
  const alert = elementOf('p', { role: 'alert', className: 'error' });
  const showState = stateTree(tree);
  earlier.hidden = true;
  place.append(elementOf('p', { className: 'ends' }, button('Newest versions', () => load()), earlier), alert, desk);

  /** Runs work that the service may refuse, and shows the refusal. */
  async function attempt(work) {
    alert.textContent = '';
    try {
      await work();
    } catch ({ message }) {
      alert.textContent = message;
    }
  }

  const load = (before) => attempt(async () => {
    const from = before ? id : idOf();
    const page = await asked(`${from}/versions?limit=200${before ? `&before=${before}` : ''}`);
    const older = page.versions.reverse();
    const index = before ? older.length + Number(slider.value) : older.length - 1;
    if (!before) [id, versions, states] = [from, [], new Map()];
    else if (from !== id) return;
    versions = [...older, ...versions];
    next = page.next;
    earlier.hidden = !next;
    const [first] = versions;
    rest.textContent = !next && first?.version > 1 ? `Versions before ${first.version} are not kept. Start with --history-days to keep more.` : '';
    desk.hidden = false;
    slider.max = versions.length - 1;
    find();
    await show(index);
  });

  function stateOf(version) {
    if (states.size > most.states) states.clear();
    if (!states.has(version)) {
      const [all, answer] = [states, asked(`${id}/versions/${version}`).then(({ state }) => state)];
      all.set(version, answer);
      // A failed request is sent again next time.
      answer.catch(() => all.delete(version));
    }
    return states.get(version);
  }

  const show = (index) => attempt(async () => {
    const [one, last] = [versions[index], versions[index - 1]];
    const words = `version ${one.version}, ${new Date(one.time).toLocaleString()}`;
    Object.assign(slider, { value: index, ariaValueText: words });
    said.textContent = words;
    command.replaceChildren(commandOf('go on from here in a new session', forking(id, one.version)));
    happened.replaceChildren(...one.trace.map((line) => elementOf('li', {}, elementOf('code', { dir: 'auto' }, sentenceOf(line)))));
    changed.replaceChildren();
    // The version before may not be stored.
    const [before, state] = await Promise.all([last && stateOf(last.version).catch(() => undefined), stateOf(one.version)]);
    if (versions[slider.value] !== one) return;
    showState(state);
    if (before !== undefined) changed.replaceChildren(changeList(differences(before, state)));
  });

  function find() {
    const text = search.value.toLowerCase();
    const matches = text ? versions.filter(({ trace }) => JSON.stringify(trace).toLowerCase().includes(text)) : [];
    found.replaceChildren(...matches.slice(-most.matches).reverse().map((one) =>
      elementOf('li', {}, button(`version ${one.version}`, () => show(versions.indexOf(one))))));
  }

  const fork = () => attempt(async () => {
    const { version } = versions[slider.value];
    location.hash = addressOf((await asked(`${id}/forks`, { version })).id);
  });
}

/** Returns a line of a trace as a sentence: who sent what. */
function sentenceOf({ input, sender, action, text, sent, ...other }) {
  if (input !== undefined) return `Input ${JSON.stringify(input)}${sender ? ` of ${sender}` : ''}`;
  const done = action ?? text;
  return done === undefined ? JSON.stringify(other) : `${sent ? 'Action of an effect' : 'Action'} ${JSON.stringify(done)}`;
}
