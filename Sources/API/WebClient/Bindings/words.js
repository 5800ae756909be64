// What is done, in words for whoever does it.

/** The name of a control as a screen reader says it. */
export function nameOf(element) {
  const ids = element.getAttribute('aria-labelledby')?.split(/\s+/);
  const labels = ids?.map((id) => document.getElementById(id)) ?? element.labels ?? [];
  const texts = [...labels, element].map((named) => named?.innerText);
  const names = [element.ariaLabel, ...texts, element.querySelector('[alt]')?.alt, element.title];
  return names.map((name) => name?.replace(/\s+/g, ' ').trim()).find(Boolean) ?? '';
}

/** An Input as `set duration: 5`. */
export function wordsOf(input) {
  const [[name, values]] = Object.entries(typeof input === 'string' ? { [input]: '' } : input);
  return joined(name.replace(/[A-Z]/g, ' $&').toLowerCase(), Object(values) === values ? Object.values(values) : [values]);
}

/** What a control sends, with what its fields hold. */
export function wordsOfControl(control, input, fields) {
  const name = nameOf(control) || wordsOf(input);
  const values = fields.filter((field) => field && field.type !== 'password')
    .map(({ type, checked, value }) => (type === 'checkbox' ? checked : value));
  return joined([name, control.ariaDescription].filter(Boolean).join(' '), values);
}

const joined = (name, values) => [name, values.filter((value) => value !== '' && Object(value) !== value).join(', ')].filter(Boolean).join(': ');
