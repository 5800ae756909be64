// Reads schemas: the definition that one refers to, its cases, and the secrets in a value.

export const dots = '••••';

/** Returns the schema that a reference stands for; `root` has the definitions. */
export function resolved(schema, root) {
  return schema.$ref ? resolved(root.$defs[schema.$ref.split('/').pop()], root) : schema;
}

export const isNull = ({ type }) => type === 'null';

/** Returns an enum's cases as `[name, schema of its values or null]`; undefined for any other schema. */
export function casesOf({ anyOf }) {
  const cases = new Map();
  for (const form of anyOf ?? []) {
    const [name, ...others] = typeof form.const === 'string' ? [form.const] : Object.keys(form.properties ?? {});
    if (name === undefined || others.length) return undefined;
    // The last form has all of a case's values.
    const values = form.properties?.[name];
    cases.set(name, values && !(values.properties && !Object.keys(values.properties).length) ? values : null);
  }
  return cases.size ? [...cases] : undefined;
}

/** Returns a value with dots in place of secrets. */
export function masked(value, schema, root) {
  const its = resolved(schema, root);
  if (its.format === 'password' && typeof value === 'string') return value && dots;
  if (its.anyOf) return its.anyOf.reduce((value, form) => masked(value, form, root), value);
  if (Array.isArray(value)) return its.items ? value.map((element) => masked(element, its.items, root)) : value;
  if (value === null || typeof value !== 'object') return value;
  const schemaOf = (name) => its.properties?.[name] ?? its.additionalProperties;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [
    name, schemaOf(name) ? masked(member, schemaOf(name), root) : member,
  ]));
}
