// Where an expression reads: State, the rows around it, the session, and fields.

import { knownSession } from '../Core/known.js';
import { more } from '../Core/more.js';
import { unwrapped, valueAt } from '../Core/paths.js';
import { address } from '../Core/request.js';
import { moment } from './formats.js';
import { fieldValue, valueNamed } from './values.js';

// A scope is {session, depth, place}, and in a list {parent, row, index, key, each}, too, {locals} of data-local; `isOver` once the row has left.

const named = {
  $index: ({ index }) => index,
  $connection: ({ session }) => session.connection,
  $id: ({ session }) => session.id,
  $version: ({ session }) => session.version,
  $waiting: ({ session }) => session.unshown,
  $snapshot: ({ session: { version, state } }) => ({ version, state }),
  $origin: () => address('').slice(0, -1),
  $dragged: () => more.draggedValue?.(),
  $moment: () => moment.count,
};

/** The event that is answered at the moment: `$event.detail`, `$event.key`. */
export const happening = {};

const isOfField = (path) => path[0] === '$' && !named[path];

/** Whether a change of what is read there is to be seen; fields are read when something is sent. */
export const isShown = ({ path }) => !isOfField(path);

export const others = { areRead: false };

/** Another session of the page, as `@counter.value` reads it; like one that is not there yet, as long as there is none. */
function otherSession({ viewModel, name }) {
  others.areRead = true;
  return knownSession(viewModel, name) ?? { id: null, state: null, version: 0, connection: 'connecting', unshown: 0 };
}

/**
 * `up` counts the points before a path: none is State, one is the row, two is the row around it. `base` is the path from
 * there to the child that an expression belongs to: see children.js.
 */
export function read({ up, path, base, local, of }, scope, control) {
  if (of) scope = { session: otherSession(of) };
  if (local) return valueAt(more.localValues(local, scope), path);
  for (; up > 1; up--) scope = scope.parent;
  if (named[path]) return named[path](scope);
  if (isOfField(path)) return ofField(path.slice(1), control);
  const root = valueAt(up ? scope.row : scope.session.state, base);
  const value = valueAt(root, path);
  if (value === undefined) more.checkMember?.(control, root, path, up && base === undefined);
  return unwrapped(value);
}

function ofField(name, control) {
  const [first, ...members] = name.split('.');
  if (first === 'event') return members.reduce((value, member) => value?.[member], happening.event);
  return name === 'value' ? fieldValue(control) : valueNamed(control, name);
}

/** What shows a row, and what the lists around it show of it, is brought up to date. */
export function refresh(scope) {
  for (let row = scope; row; row = row.parent) row.isDue = true;
  scope.session.dispatchEvent(new Event('local'));
}

export const isOver = (scope) => Boolean(scope && (scope.isOver || isOver(scope.parent)));

/** The declaration that an expression reads and nothing else, so that it can be written, too. */
export const localOf = ({ path, uses }) => (path === uses[0]?.path ? uses[0]?.local : undefined);
