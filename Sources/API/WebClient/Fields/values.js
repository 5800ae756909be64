// The values of fields: reading and showing them.

import { happening } from '../Expressions/happening.js';
import { isNumeric, order } from '../Expressions/numbers.js';
import { caseOf, isSame, isYes, textOf } from '../Expressions/truth.js';
import { dom } from '../Page/dom.js';
import { own } from '../Page/prefix.js';
import { conversions } from '../Schemas/conversions.js';

/** Whether an element is a field: a custom element is one if it has a value, or binds one for when it is defined. */
export const isField = (element) => dom(element).matches('input, select, textarea')
  || dom(element).localName.includes('-') && ('value' in element || 'value' in own(element));

/** Whether an element has a value of its own. */
export const hasValue = (element) => isField(element) || dom(element).hasAttribute('value') || element.localName === 'dialog';

/** Returns the events at which an element acts: those of `data-on`, or the usual one of its kind. */
export const eventsOf = (element) => (own(element).on
  ?? (dom(element).localName === 'form' ? 'submit' : isField(element) && element.type !== 'button' ? 'change' : 'click')).split(/\s+/);

/** Whether an element is a text field, which sends while the user types. */
export const isTextField = ({ type }) => /^(text|search|email|url|tel|password|textarea)$/.test(type);

/** Whether keys write or choose in an element. */
export const isTyped = (element) => isTextField(element) || dom(element).isContentEditable || element.localName === 'select'
  || dom(element).localName.includes('-') && isField(element) || /^(number|date|time|datetime-local|month|week)$/.test(element.type);

/** Returns a field's value: NaN for a number field without a number, an array for a multiple select. */
export function fieldValue(element) {
  const { type, checked, value, returnValue } = dom(element);
  if (type === 'select-multiple') return textsOf(element);
  if (type === 'checkbox') return checked;
  if (type === 'radio' && !checked || type === 'file') return null;
  if (type !== 'number' && type !== 'range' && own(element).type !== 'number' || typeof value !== 'string') return value ?? returnValue;
  return value.trim() === '' ? NaN : Number(value);
}

/** Returns the texts that a browser's own form sends for a field: none for what is not chosen. */
export function textsOf(element) {
  const { type, checked, value, returnValue, options } = dom(element);
  if (options) return [...options].filter((option) => option.selected && !option.matches(':disabled')).map((option) => option.value);
  return /^(checkbox|radio)$/.test(type) && !checked || type === 'file' ? [] : [value ?? returnValue];
}

/** Whether a field holds a date or a time, which is sent as the schema asks for it. */
export const isDated = ({ type }) => /^(date|datetime-local|month|time)$/.test(type);

/** Returns a value as a field holds it: of a date the part for which the field has room, and no line ends that it cannot hold. */
export function held(element, value) {
  const { type } = element;
  const date = isDated(element) ? conversions.date?.held(element, value) : undefined;
  if (date !== undefined) return date;
  const text = value === false && !isTextField(element) ? 'false' : textOf(caseOf(value));
  if (type === 'month') return text.slice(0, 7);
  return type === 'textarea' ? text.replace(/\r\n?/g, '\n') : isTextField(element) ? text.replace(/[\r\n]/g, '') : text;
}

/** Whether a choice stands for a value. */
const isChoice = (text, value) => text === held({}, value) || isNumeric(value) && text.trim() !== '' && order(value, text) === 0;

const shown = new WeakMap();

/** Returns what a field shows of State: `{value, text}`, of which the text may be another one once the user has changed it. */
export const shownIn = (element) => shown.get(element) ?? {};

/** Shows a value, unless the field holds it already; the caret keeps its place in the text. */
export function showValue(element, value) {
  const { type, value: before, options, selectionStart, selectionEnd } = element;
  if (type === 'select-multiple') {
    for (const option of options) option.selected = [value ?? []].flat().some((one) => isChoice(option.value, one));
  } else if (element.localName.includes('-')) {
    if (element.matches(':defined') && !isSame(before, value)) element.value = value;
  } else if (type === 'checkbox') {
    // A checkbox of a group is ticked if the array has its value.
    const isOne = Array.isArray(value) || element.hasAttribute('value') && typeof value !== 'boolean';
    element.checked = isOne ? [value].flat().some((one) => isChoice(before, one)) : isYes(value);
  } else if (type === 'radio') {
    element.checked = isChoice(before, value);
  } else if (options || shownIn(element).text !== before || !isSame(shownIn(element).value, value)) {
    const choice = [...options ?? []].find((option) => isChoice(option.value, value));
    const text = held(element, value);
    // State's value is valid, unless the page says which steps are.
    const isFine = /^(number|range)$/.test(type) ? /[.e]/.test(text) : isDated(element) && /:\d\d:/.test(text);
    if (isFine && element.step === '') element.step = 'any';
    if (choice) choice.selected = true;
    else if (before !== text && fieldValue(element) !== value) {
      element.value = text;
      if (element === document.activeElement && typeof selectionStart === 'number') {
        // The caret stays behind an unchanged beginning, else before an unchanged end.
        const isKept = text.startsWith(before.slice(0, selectionStart)) || !text.endsWith(before.slice(selectionStart));
        const shift = isKept ? 0 : text.length - before.length;
        element.setSelectionRange(selectionStart + shift, selectionEnd + shift);
      }
    }
  }
  shown.set(element, { value, text: String(textsOf(element)) });
}

/** Returns the form that an element belongs to; for a form, itself. */
export const formOf = (element) => dom(element).form ?? dom(element).closest('form');

/** Returns the elements of a name: in the control's form, else in the nearest element around it that has any. */
export function elementsNamed(control, name) {
  const { localName, form } = dom(control);
  let found = [...dom(localName === 'form' ? control : form)?.elements ?? []].filter((field) => field.name === name);
  for (let around = control; !found[0] && around; around = dom(around).parentElement) {
    found = [...dom(around).querySelectorAll(`[name="${CSS.escape(name)}"]`)];
  }
  return found;
}

/** Whether a field counts in a browser's own form: it is not disabled, and of buttons only the one that submits does. */
const counts = (field, control) => !dom(field).matches(':disabled')
  && (!/^(button|image|reset|submit)$/.test(dom(field).type) || field === control || field === happening.event?.submitter);

export function fieldsNamed(control, name) {
  const found = elementsNamed(control, name);
  if (!found[0]) throw new Error(`no field has name="${name}"`);
  return found.filter((field) => counts(field, control));
}

/** Returns the field of a name; of several radio buttons, the checked one. */
export function fieldNamed(control, name) {
  const found = elementsNamed(control, name).filter((field) => counts(field, control));
  return found.find((field) => dom(field).checked) ?? found[0];
}

/** Returns the value of the field of a name; for a group of checkboxes, an array of the ticked values. */
export function valueNamed(control, name) {
  const found = fieldsNamed(control, name);
  const all = elementsNamed(control, name);
  if (all.length > 1 && all.every(({ type }) => type === 'checkbox')) return found.flatMap(textsOf);
  return found[0] ? fieldValue(fieldNamed(control, name)) : null;
}

const entryOf = ({ value, checked, options }) => [value, checked, ...options ? Array.from(options, ({ selected }) => selected) : []];

function enter(element, [value, checked, ...selected]) {
  if (element.options) for (const [index, option] of [...element.options].entries()) option.selected = selected[index];
  else if (!element.localName.includes('-')) Object.assign(element, { value, checked });
}

/** Resets a field to the value in the page's source. Returns a function that undoes this, unless the user has changed the field since. */
export function resetField(element) {
  const before = entryOf(element);
  enter(element, [element.defaultValue, element.defaultChecked, ...Array.from(element.options ?? [], ({ defaultSelected }) => defaultSelected)]);
  const after = entryOf(element);
  return () => isSame(entryOf(element), after) && enter(element, before);
}
