// Binds elements to a session: they show its State, and send Inputs for what the user does.

import { assignments, template } from '../Expressions/expressions.js';
import { moment, pass } from '../Expressions/formats.js';
import { others } from '../Expressions/scopes.js';
import { onDeparture } from '../Page/departures.js';
import { dom } from '../Page/dom.js';
import { focusing } from '../Page/focusing.js';
import { hosts } from '../Page/hosts.js';
import { isMoreNeeded } from '../Page/marks.js';
import { reportMistake } from '../Page/mistakes.js';
import { named, own } from '../Page/prefix.js';
import { later, loadMore } from '../Service/more.js';
import { sessionNamed } from '../Session/sessions.js';
import { grow, planOf, run } from './plans.js';
import { flushFields } from './value.js';

/** Binds the elements with `data-view-model` in `root`, or, inside of such an element, `root` itself. */
export function bind(root = document) {
  const containers = [root, ...dom(root).querySelectorAll(named('[data-view-model]'))].filter(isContainer);
  if (isMoreNeeded(root)) {
    // Opens the sessions while the second module loads.
    for (const container of containers) sessionOf(container);
    return void loadMore().then(() => bind(root));
  }
  let host = root;
  while (host && !hosts.has(host) && !isContainer(host)) host = dom(host).parentElement;
  if (hosts.has(host) && host !== root) {
    const { scope, updates, locals } = hosts.get(host);
    const added = grow(root, planOf(root, scope.depth, locals), scope);
    updates.push(...added);
    run(added);
    hosts.set(root, hosts.get(host));
  }
  for (const container of containers) bindContainer(container);
  later('includeAll', root);
}

const isContainer = (element) => 'viewModel' in (own(element) ?? {});

function sessionOf(container, around = {}) {
  const { viewModel, shared, name = shared ?? '', parameters } = own(container);
  if (!viewModel) return reportMistake(container, 'data-view-model', 'name a view model');
  try {
    const values = parameters && (/^\s*\{/.test(parameters) ? () => JSON.parse(parameters) : assignments(parameters));
    const its = template(name)(around, container);
    if (!its && shared !== undefined) throw new Error('name the session');
    return sessionNamed(viewModel, its, values?.(around, container), shared !== undefined);
  } catch ({ message }) {
    return reportMistake(container, 'data-name, data-shared, data-parameters', `${name} ${parameters}: ${message}`);
  }
}

/** `around` is the scope of the row that the container stands in: the session's name and parameters may read it. */
function bindContainer(container, around) {
  if (hosts.has(container)) return;
  const its = sessionOf(container, around);
  if (!its) return;
  const dataset = own(container);
  const scope = { session: its, depth: 0, place: '' };
  const updates = grow(container, planOf(container, 0), scope);
  hosts.set(container, { scope, updates });
  const render = () => {
    if (its.id) dataset.session = its.id;
    dataset.connection = its.connection;
    if (its.unshown) dataset.waiting = its.unshown;
    else delete dataset.waiting;
    run(updates);
    focusing.mend();
    // Notices need the second module at once.
    if (/ended|offline|stale/.test(its.connection) || its.notice || its.trouble || its.givenUp.length) loadMore();
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
  later('learnInputs', its);
  later('showNotices', its, container);
  render();
}

/** A container within another one. */
export const viewModel = {
  name: 'view-model',
  isAlone: true,
  isLate: true,
  isFor: (element, { root }) => element !== root && isContainer(element),
  plan: () => true,
  apply: (container, scope) => bindContainer(container, scope),
};
