// Scopes: where an expression reads State, the rows around it, the session, and fields.

import { knownSession } from '../Core/known.js';
import { more } from '../Core/more.js';
import { unwrapped, valueAt } from '../Core/paths.js';
import { address } from '../Core/request.js';
import { moment } from './formats.js';
import { fieldValue, valueNamed } from './values.js';

// A scope is {session, depth, place}, in a list also {parent, row, index, key, each}, with data-local also {locals}; `isOver` is
// true once the row is removed.

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

/** The event that is being handled: `$event.detail`, `$event.key`. */
export const happening = {};

const isOfField = (path) => path[0] === '$' && !named[path];

/** Whether a change of what is read is shown; fields are read only to send. */
export const isShown = ({ path }) => !isOfField(path);

export const others = { areRead: false };

/** Returns another session of the page, as `@counter.value` reads it, or a stand-in until that exists. */
function otherSession({ viewModel, name }) {
  others.areRead = true;
  return knownSession(viewModel, name) ?? { id: null, state: null, version: 0, connection: 'connecting', unshown: 0 };
}

/**
 * Reads a value. `up` counts the points before a path: none for State, one for the row, two for the row around that. `base` is
 * the path from there to the child that an expression belongs to: see children.js.
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
  // As `false`, unlike the text "0".
  return unwrapped(value) === '0' && more.isDecimal?.({ up, path, base }, scope) ? 0 : unwrapped(value);
}

function ofField(name, control) {
  const [first, ...members] = name.split('.');
  if (first === 'event') return members.reduce((value, member) => value?.[member], happening.event);
  return name === 'value' ? fieldValue(control) : valueNamed(control, name);
}

/** Updates what shows a row, also in the lists around it. */
export function refresh(scope) {
  for (let row = scope; row; row = row.parent) row.isDue = true;
  scope.session.dispatchEvent(new Event('local'));
}

export const isOver = (scope) => Boolean(scope && (scope.isOver || isOver(scope.parent)));

/** Returns the declaration that an expression consists of, and so can write; else undefined. */
export const localOf = ({ path, uses }) => (path === uses[0]?.path ? uses[0]?.local : undefined);
