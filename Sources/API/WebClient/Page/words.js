// Inputs in words for the user.

import { dom } from './dom.js';

/** Returns the name of a control as a screen reader says it. */
export function nameOf(element) {
  const its = dom(element);
  const ids = its.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
  const textOf = (named) => named?.innerText ?? named?.textContent; // SVG has no `innerText`
  const part = its.querySelector('[alt], [aria-label], svg > title');
  const names = [...ids.map((id) => textOf(document.getElementById(id))), its.ariaLabel,
    ...[...its.labels ?? [], its].map(textOf), part?.alt || part?.ariaLabel || part?.textContent, its.title];
  return names.map((name) => name?.replace(/\s+/g, ' ').trim()).find(Boolean) ?? '';
}

/** Returns an Input as `set duration: 5`, a secret one without its values. */
export function wordsOf(input, isSecret) {
  const [[name, values]] = Object.entries(typeof input === 'string' ? { [input]: '' } : input);
  return joined(name.replace(/[A-Z]/g, ' $&').toLowerCase(), isSecret ? [] : Object(values) === values ? Object.values(values) : [values]);
}

/** Returns a control's Input in words: its name and its fields' values, `on` or `off` for a checkbox, none for a radio button. */
export function wordsOfControl(control, input, fields, isSecret) {
  if (dom(control).localName === 'form') control = dom(control).querySelector('button:not([type=button])') ?? fields[0];
  if (!control) return wordsOf(input, isSecret);
  const name = nameOf(control) || wordsOf(input, isSecret);
  const told = control.type === 'radio' ? [] : control.type === 'checkbox' ? [control] : fields;
  const values = told.filter((field) => field.type !== 'password')
    .map(({ type, checked, value }) => (type !== 'checkbox' ? value : checked ? 'on' : 'off'));
  return joined([name, control.ariaDescription].filter(Boolean).join(' '), values);
}

const joined = (name, values) => [name, values.filter((value) => value !== '' && Object(value) !== value).join(', ')].filter(Boolean).join(': ');
