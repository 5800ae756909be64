// The values of fields: reading and showing them.

import { own } from '../Core/prefix.js';
import { caseOf, isSame, isYes, textOf } from './truth.js';

/** Whether an element is a field: a custom element is one if it has a value, or binds one for when it is defined. */
export const isField = (element) => element.matches('input, select, textarea')
  || element.localName.includes('-') && ('value' in element || 'value' in own(element));

/** Returns the events at which an element acts: those of `data-on`, or the usual one of its kind. */
export const eventsOf = (element) => (own(element).on
  ?? (element.localName === 'form' ? 'submit' : isField(element) && element.type !== 'button' ? 'change' : 'click')).split(/\s+/);

/** Whether an element is a text field, which sends while the user types. */
export const isTextField = ({ type }) => /^(text|search|email|url|tel|password|textarea)$/.test(type);

/** Whether keys write or choose in an element. */
export const isTyped = (element) => isTextField(element) || element.isContentEditable || element.localName === 'select'
  || element.localName.includes('-') && isField(element) || /^(number|date|time|datetime-local|month|week)$/.test(element.type);

/** Returns a field's value: NaN for a number field without a number, an array for a multiple select. */
export function fieldValue(element) {
  const { type, checked, value, returnValue, selectedOptions } = element;
  if (type === 'select-multiple') return [...selectedOptions].map((option) => option.value);
  if (type === 'checkbox') return checked;
  if (type === 'radio' && !checked || type === 'file') return null;
  if (type !== 'number' && type !== 'range' && own(element).type !== 'number' || typeof value !== 'string') return value ?? returnValue;
  return value.trim() === '' ? NaN : Number(value);
}

const parts = { date: [0, 10], month: [0, 7], time: [11, 19], 'datetime-local': [0, 19] };

/** Returns a value as a field holds it: of a date only a part, in UTC, but in the browser's time zone for `datetime-local`. */
export function held({ type }, value) {
  const isDate = parts[type] && (/T.*Z$/.test(value) || type === 'time' && typeof value === 'number');
  if (!isDate) return textOf(caseOf(value));
  const date = new Date(type === 'time' && typeof value === 'number' ? value * 1000 : value);
  if (type === 'datetime-local') date.setMinutes(date.getMinutes() - date.getTimezoneOffset());
  return date.toISOString().slice(...parts[type]).replace(/:00$/, '');
}

/** Whether a field holds a date or a time, which is sent as the schema asks for it. */
export const isDated = ({ type }) => type in parts;

/** Shows a value, unless the field holds it already; the caret keeps its place in the text. */
export function showValue(element, value) {
  const { type, value: before, selectionStart, selectionEnd } = element;
  const text = held(element, value);
  if (type === 'select-multiple') {
    for (const option of element.options) option.selected = value?.includes(option.value);
  } else if (element.localName.includes('-')) {
    if (element.matches(':defined') && !isSame(before, value)) element.value = value;
  } else if (type === 'checkbox') {
    // A checkbox of a group is ticked if the array has its value.
    element.checked = Array.isArray(value) ? value.includes(before) : isYes(value);
  } else if (type === 'radio') {
    element.checked = before === text;
  } else if (before !== text && fieldValue(element) !== value) {
    element.value = text;
    if (element !== document.activeElement || typeof selectionStart !== 'number') return;
    // The caret stays behind an unchanged beginning, else before an unchanged end.
    const isKept = text.startsWith(before.slice(0, selectionStart)) || !text.endsWith(before.slice(selectionStart));
    const shift = isKept ? 0 : text.length - before.length;
    element.setSelectionRange(selectionStart + shift, selectionEnd + shift);
  }
}

/** Returns the fields of a name: in the control's form, else in the nearest element around it that has any. */
function fieldsNamed(control, name) {
  let found = [...control.form?.elements ?? []].filter((field) => field.name === name);
  for (let around = control; !found[0] && around; around = around.parentElement) {
    found = [...around.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
  }
  return found;
}

/** Returns the field of a name; of several radio buttons, the checked one. */
export function fieldNamed(control, name) {
  const found = fieldsNamed(control, name);
  return found.find(({ checked }) => checked) ?? found[0];
}

/** Returns the value of the field of a name; for a group of checkboxes, an array of the ticked values. */
export function valueNamed(control, name) {
  const found = fieldsNamed(control, name);
  if (found.length > 1 && found.every(({ type }) => type === 'checkbox')) {
    return found.filter(({ checked }) => checked).map(({ value }) => value);
  }
  const field = fieldNamed(control, name);
  if (!field) throw new Error(`no field has name="${name}"`);
  return fieldValue(field);
}

/** Resets a field to the value in the page's source. */
export function resetField(element) {
  for (const option of element.options ?? []) option.selected = option.defaultSelected;
  if (element.options || element.localName.includes('-')) return;
  element.checked = element.defaultChecked;
  element.value = element.defaultValue;
}
