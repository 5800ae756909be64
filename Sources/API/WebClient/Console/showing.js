// Shows a session in the console, and sends its Inputs.

import { elementOf } from '../Page/elements.js';
import { commandOf, copyButton, creation, following, sending } from './commands.js';
import { differences, memberOf } from './differences.js';
import { inputForms } from './forms.js';
import { Log } from './log.js';
import { Past } from './past.js';
import { planningTable } from './planning.js';
import { Scenario } from './scenario.js';
import { masked } from './schemas.js';
import { sentence } from './service.js';
import { addressOf } from './sessions.js';
import { settling } from './settling.js';
import { Trace } from './trace.js';

const at = (id) => document.getElementById(id);

/** `chosen` is the id in the page's address: if that session is gone, the client opens another one. */
export function showSession(session, spec, known, chosen) {
  const log = new Log(at('log'), at('filter'));
  const trace = at('work') && new Trace(at('work'), log);
  const plan = planningTable(at('planning'), spec);
  const past = new Past(at('past'), at('version'), at('tree'), log);
  const inputs = { anyOf: spec.inputs.map(({ schema }) => schema) };
  const root = { $defs: Object.assign({}, ...inputs.anyOf.map(({ $defs }) => $defs)) };
  let scenario = new Scenario(spec.name, known.find(chosen).parameters);
  let id, before, shown;

  function identify() {
    if (!session.id || session.id === id) return;
    const last = id ?? chosen;
    id = session.id;
    const { parameters } = known.find(id);
    if (id !== last) {
      known.forget(last);
      scenario = new Scenario(spec.name, parameters);
    }
    history.replaceState(null, '', addressOf(id));
    known.remember({ id, parameters });
    trace?.follow(id);
    past.follow(id);
    if (id !== last) log.clear();
    [before, shown] = [undefined, 0];
    at('sessions').replaceChildren(...known.all.map((one) => linkTo(one.id, id)));
    at('commands').replaceChildren(...[
      ['Make a session like this one', creation(spec.name, parameters)], ['Follow this session', following(id)],
    ].map(([name, line]) => elementOf('li', {}, name, ' ', commandOf(name, line))));
  }

  session.addEventListener('connection', identify);
  session.addEventListener('state', () => {
    identify();
    const { version, state } = session;
    shown = version;
    if (state === before) return;
    past.add(version, state);
    scenario.state(version, state);
    if (before !== undefined) {
      const changes = differences(before, state);
      log.state(version, changes);
      plan.changed(changes.map(({ path }) => memberOf(path)));
    }
    before = state;
  });

  const settle = settling(session, () => shown, () => {
    log.settled();
    plan.settled();
  });

  async function send(input) {
    // A secret is sent to the service, but not shown.
    const told = Array.isArray(input) ? input.map((one) => masked(one, inputs, root)) : masked(input, inputs, root);
    const text = JSON.stringify(told);
    const undo = [scenario.input(told), plan.sent(told), ...trace ? [trace.sent(told)] : []];
    const say = log.input(text, commandOf(`send ${text}`, sending(id ?? chosen, told)));
    try {
      const version = await session.send(input, { isSecret: text !== JSON.stringify(input) });
      say(version);
      at('answer').textContent = `${text}: version ${version}`;
    } catch (refusal) {
      for (const forget of undo) forget();
      const words = refusal.problem ? sentence(refusal.problem) : refusal.message;
      say(words);
      throw new Error(words);
    } finally {
      settle();
    }
  }

  at('forms').append(...inputForms(spec, send));
  at('scenario').append(copyButton('Copy as scenario', 'Copy as scenario', () => scenario.text), ' ',
    elementOf('span', { className: 'hint' }, 'for ', elementOf('code', {}, 'uifusion run FILE')));
  identify();
}

function linkTo(id, current) {
  const link = elementOf('a', { href: addressOf(id), title: id, dir: 'ltr' }, `${id.slice(0, 8)}…`);
  if (id === current) link.setAttribute('aria-current', 'page');
  return elementOf('li', {}, link);
}
