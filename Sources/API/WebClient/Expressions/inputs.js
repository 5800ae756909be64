// Turns Inputs as Swift writes them, `rename(id: .id, title: $title)`, into JSON.

import { fieldValue, valueNamed } from '../Fields/values.js';
import { valueAt } from '../Session/paths.js';
import { parserOf } from './expressions.js';
import { isOfField } from './scopes.js';
import { hasMembers } from './truth.js';

/** How arguments are sent: as they are, until the second module sends them as schemas ask for them. */
export const sending = {
  /** Returns the value of `$name`, or the control's own; NaN without one. */
  entered: (control, schema, name) => (name === undefined ? fieldValue(control) : valueNamed(control, name)) ?? null,
  fitting: (value) => value,
};

/** Returns an argument as a schema asks for it. */
function argument(value, scope, control, schema) {
  const { path = '' } = value;
  const isNamed = isOfField({ ...value, path, isSent: true }, control);
  if (isNamed || path === '$value') return sending.entered(control, schema, isNamed ? path.slice(1) : undefined);
  return sending.fitting(value(scope, control) ?? null, schema);
}

/**
 * Returns a function `(scope, control, schemas) => Input`, which takes the schemas of the Input's members. It returns undefined
 * while a field that the Input needs is empty.
 */
export function inputExpression(source) {
  const { uses, isNext, takes, wants, piped, next } = parserOf(source);
  const name = next();
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name ?? '')) throw new Error('write an Input as in Swift: rename(id: .id, title: $title)');
  const parameters = [];
  if (takes('(') && !takes(')')) {
    do {
      const label = isNext(/^:$/, 1) ? next() : undefined;
      takes(':');
      parameters.push([label ?? `_${parameters.length}`, piped()]);
    } while (takes(','));
    wants(')');
  }
  wants();
  const isAlone = parameters.length === 1 && parameters[0][0] === '_0';

  return Object.assign((scope, control, schemas = {}) => {
    const values = parameters.map(([label, value]) => [label, argument(value, scope, control, valueAt(schemas, label))]);
    if (values.some(([, value]) => Number.isNaN(value))) return undefined;
    // A single value needs no label, but an object would be taken for labelled values.
    const isShort = isAlone && !hasMembers(values[0][1]);
    return values.length ? { [name]: isShort ? values[0][1] : Object.fromEntries(values) } : name;
  }, {
    uses,
    inputName: name,
    labels: parameters.map(([label]) => label),
    // The fields' names, by those of the members that a refusal may name.
    fields: { __proto__: null, ...Object.fromEntries(parameters.map(([label, { path }]) => [isAlone ? name : label, path?.[0] === '$' ? path.slice(1) : undefined])) },
  });
}
