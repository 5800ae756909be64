// What a parent's Inputs say of a child's.

/** From the schema of the Input that carries them: by name, as `inputsOf` a view model. */
export function inputsOfChild({ properties: { input, _0 = input } = {}, $defs } = {}) {
  const { enum: names = [], anyOf = names.map((name) => ({ const: name })) } = $defs?.[_0?.$ref?.slice(8)] ?? _0 ?? {};
  const forms = anyOf.flatMap(({ const: name, properties = { [name]: {} } }) => Object.entries(properties));
  return Object.fromEntries(forms.map(([name, schema]) => [name, { ...schema, $defs }]));
}
