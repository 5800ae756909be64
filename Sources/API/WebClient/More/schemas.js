// The schemas of a child's Inputs.

/** Returns them by name, like `inputsOf`, from the schema of the parent's Input that carries them. */
export function inputsOfChild({ properties: { input, _0 = input } = {}, $defs } = {}) {
  const { enum: names = [], anyOf = names.map((name) => ({ const: name })) } = $defs?.[_0?.$ref?.slice(8)] ?? _0 ?? {};
  const forms = anyOf.flatMap(({ const: name, properties = { [name]: {} } }) => Object.entries(properties));
  return Object.fromEntries(forms.map(([name, schema]) => [name, { ...schema, $defs }]));
}
