// Makes a field for a value from its schema: `{element, read}`.

import { elementOf } from '../Page/elements.js';
import { casesOf, isNull, resolved } from './schemas.js';

/** Returns a field with an initial `value`; `root` has the schema's definitions. `read` throws a sentence for people. */
export function fieldOf(schema, name, root, value) {
  const its = resolved(schema, root);
  const { anyOf, type, items, properties } = its;
  const others = anyOf?.filter((one) => !isNull(one)) ?? [];
  if ('const' in its) return { element: '', read: () => its.const };
  if (isNull(its)) return { element: '', read: () => null };
  if (others.length === 1) return optionalField(others[0], name, root, value);
  const cases = casesOf(its);
  if (cases) return choiceField(cases, name, root, value);
  if (its.enum) return optionField(its.enum, name, value);
  if (type === 'array' && items) return listField(items, name, root, value);
  if (properties) return membersField(its, name, root, value);
  return { boolean: checkbox, integer: numberField, number: numberField, string: textField }[type]?.(its, name, value)
    ?? jsonField(name, value);
}

const labelled = (name, control) => elementOf('label', {}, elementOf('span', {}, name), control);
const group = (name, ...content) => elementOf('fieldset', {}, elementOf('legend', {}, name), ...content);

function checkbox(_, name, value) {
  const control = elementOf('input', { type: 'checkbox', checked: value === true });
  return { element: elementOf('label', { className: 'check' }, control, name), read: () => control.checked };
}

function numberField({ type }, name, value = '') {
  const control = elementOf('input', { type: 'number', step: type === 'integer' ? 1 : 'any', required: true, value });
  return { element: labelled(name, control), read: () => control.valueAsNumber };
}

const placeholders = {
  date: '2026-11-24', 'date-time': '2026-11-24T18:00:00.000Z', uuid: '00000000-0000-0000-0000-000000000000', 'uri-reference': 'https://example.org/',
};

function textField({ format }, name, value = '') {
  const control = elementOf('input', { type: 'text', dir: 'auto', placeholder: placeholders[format] ?? '', value });
  if (format === 'password') Object.assign(control, { type: 'password', value: '', autocomplete: 'off' });
  return { element: labelled(name, control), read: () => control.value };
}

function optionField(values, name, value) {
  const texts = values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const control = elementOf('select', {}, ...texts.map((text, place) => elementOf('option', { value: place }, text)));
  control.value = Math.max(0, values.indexOf(value));
  return { element: labelled(name, control), read: () => values[control.value] };
}

/** Returns a field for any value as JSON. */
export function jsonField(name, value) {
  const text = value === undefined ? '' : JSON.stringify(value);
  const control = elementOf('textarea', { rows: 2, required: true, spellcheck: false, value: text });
  const read = () => {
    try {
      return JSON.parse(control.value);
    } catch ({ message }) {
      throw new Error(`${name} is not JSON: ${message}`);
    }
  };
  return { element: labelled(`${name}, as JSON`, control), read };
}

/** Returns a place for a field that is made only when needed, as a type may contain itself. */
function place() {
  const element = elementOf('div', { className: 'within' });
  return {
    element,
    fill(field) {
      this.field = field;
      element.replaceChildren(field?.element ?? '');
    },
  };
}

function optionalField(schema, name, root, value) {
  const control = elementOf('input', { type: 'checkbox', checked: value !== undefined && value !== null });
  const inner = place();
  control.onchange = () => inner.fill(control.checked ? fieldOf(schema, name, root, value ?? undefined) : null);
  control.onchange();
  return {
    element: elementOf('div', {}, elementOf('label', { className: 'check' }, control, `with ${name}`), inner.element),
    read: () => inner.field?.read() ?? null,
  };
}

function choiceField(cases, name, root, value) {
  const [first] = typeof value === 'string' ? [value] : Object.keys(value ?? {});
  const { element, read } = optionField(cases.map(([name]) => name), name, first);
  const inner = place();
  const fill = () => inner.fill(caseField(cases.find(([name]) => name === read()), root, value));
  element.addEventListener('change', fill);
  fill();
  return { element: elementOf('div', {}, element, inner.element), read: () => inner.field.read() };
}

/** Returns a field for a case of an enum, such as an Input; `example` may have initial values. */
export function caseField([name, values], root, example) {
  if (!values) return { element: '', read: () => name };
  const isLone = values.properties && Object.keys(values.properties).join() === '_0';
  const given = example?.[name];
  if (!isLone) {
    const { element, read } = fieldOf(values, name, root, given);
    return { element, read: () => ({ [name]: read() }) };
  }
  const lone = fieldOf(values.properties._0, 'value', root, given?._0 ?? given);
  const read = () => {
    const value = lone.read();
    // An object would be taken for the case's labelled values.
    return { [name]: value !== null && typeof value === 'object' ? { _0: value } : value };
  };
  return { element: lone.element, read };
}

function listField(items, name, root, values = []) {
  const fields = new Set();
  const list = elementOf('ul');
  const add = (value) => {
    const field = fieldOf(items, name, root, value);
    const row = elementOf('li', {}, field.element, elementOf('button', {
      type: 'button', className: 'small', ariaLabel: `Remove from ${name}`, onclick: () => {
        fields.delete(field);
        row.remove();
        more.focus();
      },
    }, 'Remove'));
    fields.add(field);
    list.append(row);
  };
  const more = elementOf('button', { type: 'button', className: 'small', ariaLabel: `Add to ${name}`, onclick: () => add() }, 'Add');
  for (const value of values) add(value);
  return { element: group(name, list, more), read: () => [...fields].map((field) => field.read()) };
}

function membersField({ properties, required = [] }, name, root, values) {
  const fields = Object.entries(properties).map(([member, schema]) => [member, fieldOf(schema, member, root, values?.[member])]);
  const read = () => Object.fromEntries(fields.map(([member, field]) => [member, field.read()])
    // Leaves out optional members without a value.
    .filter(([member, value]) => value !== null || required.includes(member)));
  return { element: group(name, ...fields.map(([, { element }]) => element)), read };
}
