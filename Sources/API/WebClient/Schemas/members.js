// The schemas of a child's Inputs, and of State's members.

import { valueAt } from '../Session/paths.js';
import { stateSchemaOf } from './learning.js';

/** Returns them by name, like `inputsOf`, from the schema of the parent's Input that carries them. */
export function inputsOfChild({ properties: { input, _0 = input } = {}, $defs } = {}) {
  const { enum: names = [], anyOf = names.map((name) => ({ const: name })) } = $defs?.[_0?.$ref?.slice(8)] ?? _0 ?? {};
  const forms = anyOf.flatMap(({ const: name, properties = { [name]: {} } }) => Object.entries(properties));
  return Object.fromEntries(forms.map(([name, schema]) => [name, { ...schema, $defs }]));
}

/** Returns the alternatives of a schema, a Pulse's those of its value. */
function kindsOf(schema, $defs) {
  const { $ref, anyOf, properties } = schema ?? {};
  if ($ref) return kindsOf($defs?.[$ref.slice(8)], $defs);
  if (properties?.pulse && properties.value) return kindsOf(properties.value, $defs);
  return anyOf?.flatMap((one) => kindsOf(one, $defs)) ?? [schema ?? {}];
}

/** Returns the schemas of what an expression reads: see `read` in scopes.js. */
function schemasAt({ up, path, base, of, local } = { of: true }, scope) {
  if (of || local) return []; // not this session's State
  for (; up > 1; up--) scope = scope.parent;
  const { $defs, ...state } = stateSchemaOf(scope.session) ?? {};
  const names = [base, path].filter(Boolean).join('.').split('.').filter(Boolean);
  const root = !up ? kindsOf(state, $defs) : schemasAt(scope.list, scope.parent)
    .flatMap(({ items, additionalProperties: value }) => kindsOf(items ?? { properties: { value } }, $defs));
  return names.reduce((kinds, name) => kinds.flatMap((kind) => kindsOf(valueAt(kind.properties, name) ?? kind.additionalProperties ?? kind.items, $defs)), root);
}

/** Whether an expression reads a `Decimal`, which is a text. */
export const isDecimal = (use, scope) => schemasAt(use, scope).some(({ pattern }) => pattern);
