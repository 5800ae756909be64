// Ties elements to a session: what they show follows its State, what is done with them is sent.

import { named, own } from '../Core/prefix.js';
import { sessionNamed } from '../Core/sessions.js';
import { onDeparture } from './departures.js';
import { assignments, template } from './expressions.js';
import { flushFields } from './fields.js';
import { mendFocus } from './focus.js';
import { moment, pass } from './formats.js';
import { includeAll } from './including.js';
import { listenToKeys } from './keys.js';
import { reportMistake } from './mistakes.js';
import { showNotices } from './notices.js';
import { grow, planOf, run } from './plans.js';
import { learnInputs } from './schemas.js';
import { others } from './scopes.js';

/** Containers, rows, and what was bound later: {scope, updates}. */
export const hosts = new WeakMap();
let isListening = false;

/** Binds what `root` has of `data-view-model`, or, inside of such an element, `root` itself. */
export function bind(root = document) {
  if (!isListening) {
    isListening = true;
    listenToKeys();
    setInterval(pass, 30_000);
  }
  let host = root;
  while (host && !hosts.has(host) && !isContainer(host)) host = host.parentElement;
  if (hosts.has(host) && host !== root) {
    const { scope, updates, locals } = hosts.get(host);
    const added = grow(root, planOf(root, scope.depth, locals), scope);
    updates.push(...added);
    run(added);
    hosts.set(root, hosts.get(host));
  }
  for (const container of [root, ...root.querySelectorAll(named('[data-view-model]'))]) {
    if (isContainer(container)) bindContainer(container);
  }
  includeAll(root);
}

const isContainer = (element) => Boolean(element.dataset && 'viewModel' in own(element));

/** `around` is the scope of the row where it stands in one: its name and parameters may read it. */
export function bindContainer(container, around = {}) {
  if (hosts.has(container)) return;
  const dataset = own(container);
  const { viewModel, name = '', parameters } = dataset;
  if (!viewModel) return reportMistake(container, 'data-view-model', 'name a view model');
  let its;
  try {
    const values = parameters && (/^\s*\{/.test(parameters) ? () => JSON.parse(parameters) : assignments(parameters));
    its = sessionNamed(viewModel, template(name)(around, container), values?.(around, container));
  } catch ({ message }) {
    return reportMistake(container, 'data-name, data-parameters', `${name} ${parameters}: ${message}`);
  }
  const scope = { session: its, depth: 0, place: '' };
  const updates = grow(container, planOf(container, 0), scope);
  hosts.set(container, { scope, updates });
  const render = () => {
    if (its.id) dataset.session = its.id;
    dataset.connection = its.connection;
    if (its.waiting.length) dataset.waiting = its.waiting.length;
    else delete dataset.waiting;
    run(updates);
    mendFocus();
    learnInputs(its);
  };
  const ending = new AbortController();
  const listen = (type, react) => its.addEventListener(type, react, { signal: ending.signal });
  for (const type of ['state', 'connection', 'queue', 'local']) listen(type, () => (others.areRead ? pass : render)());
  listen('flush', () => flushFields(its));
  moment.renderings.add(render);
  const leave = its.join();
  onDeparture(container, () => {
    ending.abort();
    moment.renderings.delete(render);
    leave();
  });
  showNotices(its, container);
  render();
}
