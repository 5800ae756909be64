// Scopes: where an expression reads State, the rows around it, the session, and fields.

import { elementsNamed, fieldNamed, fieldValue, formOf, hasValue, valueNamed } from '../Fields/values.js';
import { address } from '../Service/address.js';
import { knownSession } from '../Session/known.js';
import { unwrapped, valueAt } from '../Session/paths.js';
import { formats, moment } from './formats.js';
import { happening } from './happening.js';

// A scope is {session, depth, place}, in a list also {parent, row, index, key, each}, with data-local also {locals}; `isOver` is
// true once the row is removed.

export const builtIns = {
  __proto__: null, // has no other names
  $index: ({ index }) => index,
  $connection: ({ session }) => session.connection,
  $status: ({ session: { connection } }) => ({ connecting: 'Loading …', stale: 'Reconnecting …' })[connection] ?? formats.capital(connection),
  $id: ({ session }) => session.id,
  $version: ({ session }) => session.version,
  $waiting: ({ session }) => session.unshown,
  $snapshot: ({ session: { version, state } }) => ({ version, state }),
  $origin: () => address('').slice(0, -1),
  $dragged: () => undefined, // see drag.js
  $allowed: () => undefined, // see learning.js
  $moment: () => moment.count,
  $value: (_, control) => fieldValue(control),
  $event: () => happening.event,
};

const partsOf = (path) => (/^\$(event|allowed)\./.test(path) ? path.split('.') : [path]);
export const isBuiltIn = (path) => partsOf(path)[0] in builtIns;

/** Whether a change of what is read is shown; fields are read only to send. */
export const isShown = ({ path }) => path[0] !== '$' || isBuiltIn(path) && !/^\$(value|event)\b/.test(path);

/**
 * Whether a name stands for a field. To send, a field of the control's own form, or, like the control, of none, comes before what
 * is built in; but not before the control's own value.
 */
export function isOfField({ path, isAlone, isSent, of }, control) {
  if (path[0] !== '$' || !isBuiltIn(path)) return path[0] === '$';
  if (isAlone || of || !isSent || path === '$value' && hasValue(control)) return false;
  const [field] = elementsNamed(control, path.slice(1));
  return Boolean(field) && formOf(field) === formOf(control);
}

/** Returns the field that a name stands for, if it counts. */
export const fieldRead = (use, control) => (isOfField(use, control) ? fieldNamed(control, use.path.slice(1)) : undefined);

export const others = { areRead: false };

/** Returns another session of the page, as `@counter.value` reads it, or a stand-in until that exists. */
function otherSession({ viewModel, name }) {
  others.areRead = true;
  return knownSession(viewModel, name) ?? knownSession(viewModel, name, true) ?? { id: null, state: null, version: 0, connection: 'connecting', unshown: 0 };
}

/** What the second module makes of a value that was read: `(value, {...use, root, scope, control}) => value`. */
export const readings = [];

/**
 * Reads a value. `up` counts the points before a path: none for State, one for the row, two for the row around that. `base` is
 * the path from there to the child that an expression belongs to: see More/scope.js.
 */
export function read(use, scope, control) {
  let { up, path, base, local, of } = use;
  if (of) scope = { session: otherSession(of) };
  if (local) return valueAt(local.valuesIn(scope), path);
  for (; up > 1; up--) scope = scope.parent;
  if (path[0] === '$') return named(use, scope, control);
  const root = valueAt(up ? scope.row : scope.session.state, base);
  let value = unwrapped(valueAt(root, path));
  for (const reading of readings) value = reading(value, { ...use, up, root, scope, control });
  return value;
}

function named(use, scope, control) {
  const { path } = use;
  if (isOfField(use, control)) return valueNamed(control, path.slice(1));
  const [first, ...members] = partsOf(path);
  const memberOf = (value, name) => (name in Object.prototype && !Object.hasOwn(Object(value), name) ? undefined : value?.[name]);
  return members.reduce(memberOf, builtIns[first](scope, control));
}

/** Updates what shows a row, also in the lists around it. */
export function refresh(scope) {
  for (let row = scope; row; row = row.parent) row.isDue = true;
  scope.session.dispatchEvent(new Event('local'));
}

export const isOver = (scope) => Boolean(scope && (scope.isOver || isOver(scope.parent)));

/** Returns the declaration that an expression consists of, and so can write; else undefined. */
export const localOf = ({ path, uses }) => (path === uses[0]?.path ? uses[0]?.local : undefined);
