// What a field holds, and how it shows a value.

import { own } from '../Core/prefix.js';
import { caseOf, isSame, isYes, textOf } from './truth.js';

/** A custom element is one where it has a value, or shows one once it is defined. */
export const isField = (element) => element.matches('input, select, textarea')
  || element.localName.includes('-') && ('value' in element || 'value' in own(element));

/** The events at which an element does something: what it asks for, or those that are usual for its kind. */
export const eventsOf = (element) => (own(element).on
  ?? (element.localName === 'form' ? 'submit' : isField(element) && element.type !== 'button' ? 'change' : 'click')).split(/\s+/);

/** One that is typed into, and sends while it is. */
export const isTextField = ({ type }) => /^(text|search|email|url|tel|password|textarea)$/.test(type);

/** One that keys write into, or choose in. */
export const isTyped = (element) => isTextField(element) || element.isContentEditable || element.localName === 'select'
  || element.localName.includes('-') && isField(element) || /^(number|date|time|datetime-local|month|week)$/.test(element.type);

/** NaN for a number field without a number; an array for a select of several. */
export function fieldValue(element) {
  const { type, checked, value, returnValue, selectedOptions } = element;
  if (type === 'select-multiple') return [...selectedOptions].map((option) => option.value);
  if (type === 'checkbox') return checked;
  if (type === 'radio' && !checked || type === 'file') return null;
  if (type !== 'number' && type !== 'range' && own(element).type !== 'number' || typeof value !== 'string') return value ?? returnValue;
  return value.trim() === '' ? NaN : Number(value);
}

const parts = { date: [0, 10], month: [0, 7], time: [11, 19], 'datetime-local': [0, 19] };

/** A value as a field of its type holds it: of a date its part, in UTC, but `datetime-local` in the browser's own time. */
export function held({ type }, value) {
  const isDate = parts[type] && (/T.*Z$/.test(value) || type === 'time' && typeof value === 'number');
  if (!isDate) return textOf(caseOf(value));
  const date = new Date(type === 'time' && typeof value === 'number' ? value * 1000 : value);
  if (type === 'datetime-local') date.setMinutes(date.getMinutes() - date.getTimezoneOffset());
  return date.toISOString().slice(...parts[type]).replace(/:00$/, '');
}

/** Whether what it sends depends on the type that is asked for. */
export const isDated = ({ type }) => type in parts;

/** Shows a value, if it is not what the field holds already; the caret keeps its place in the text. */
export function showValue(element, value) {
  const { type, value: before, selectionStart, selectionEnd } = element;
  const text = held(element, value);
  if (type === 'select-multiple') {
    for (const option of element.options) option.selected = value?.includes(option.value);
  } else if (element.localName.includes('-')) {
    if (element.matches(':defined') && !isSame(before, value)) element.value = value;
  } else if (type === 'checkbox') {
    // One of a group stands for what an array has.
    element.checked = Array.isArray(value) ? value.includes(before) : isYes(value);
  } else if (type === 'radio') {
    element.checked = before === text;
  } else if (before !== text && fieldValue(element) !== value) {
    element.value = text;
    if (element !== document.activeElement || typeof selectionStart !== 'number') return;
    // Behind what is the same before it, else before what is the same behind it.
    const isKept = text.startsWith(before.slice(0, selectionStart)) || !text.endsWith(before.slice(selectionStart));
    const shift = isKept ? 0 : text.length - before.length;
    element.setSelectionRange(selectionStart + shift, selectionEnd + shift);
  }
}

/** The fields of that name: in the control's form, else in the nearest element around it that has one. */
function fieldsNamed(control, name) {
  let found = [...control.form?.elements ?? []].filter((field) => field.name === name);
  for (let around = control; !found[0] && around; around = around.parentElement) {
    found = [...around.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
  }
  return found;
}

/** Of several radio buttons the one that is checked. */
export function fieldNamed(control, name) {
  const found = fieldsNamed(control, name);
  return found.find(({ checked }) => checked) ?? found[0];
}

/** What the field of that name holds; of a group of checkboxes an array of what is ticked. */
export function valueNamed(control, name) {
  const found = fieldsNamed(control, name);
  if (found.length > 1 && found.every(({ type }) => type === 'checkbox')) {
    return found.filter(({ checked }) => checked).map(({ value }) => value);
  }
  const field = fieldNamed(control, name);
  if (!field) throw new Error(`no field has name="${name}"`);
  return fieldValue(field);
}

/** As the page was written. */
export function resetField(element) {
  for (const option of element.options ?? []) option.selected = option.defaultSelected;
  if (element.options || element.localName.includes('-')) return;
  element.checked = element.defaultChecked;
  element.value = element.defaultValue;
}
