// Keeps the focus off the body: when the focused element goes, the focus moves to the nearest element of its kind. It is not
// moved while the user types: the letters would end up elsewhere, and a blank would press the newly focused button.

import { isTyped } from '../Fields/values.js';
import { fieldOf } from './bound.js';
import { dom } from './dom.js';
import { focusing } from './focusing.js';
import { hosts } from './hosts.js';
import { own } from './prefix.js';

const hidden = [];
const postponed = new WeakSet(); // elements to hide once the user does not type in them

/** Returns the focused field within some elements, if the user can type in it. */
export function typedIn(...elements) {
  const field = document.activeElement;
  return field && isTyped(field) && elements.some((element) => dom(element).contains(field)) ? field : undefined;
}

/** Whether a field holds a value that was not sent. */
export const isUnsent = (field) => fieldOf(field)?.isUnsent() ?? field.value !== (field.defaultValue ?? field.value);

/** Returns the field that the user types in, or, if the elements have the focus, one with unsent text. */
export function editedIn(...elements) {
  const isThere = elements.some((element) => dom(element).contains(document.activeElement));
  const fields = isThere ? elements.flatMap((element) => [element, ...dom(element).querySelectorAll('*')]) : [];
  return typedIn(...elements) ?? fields.find((field) => isTyped(field) && isUnsent(field) && field.checkVisibility());
}

/** Runs an action once the user does not type in the elements. */
export function onceLeft(elements, action) {
  const look = () => setTimeout(() => {
    if (editedIn(...elements)) return;
    for (const element of elements) dom(element).removeEventListener('focusout', look);
    action();
  });
  for (const element of elements) dom(element).addEventListener('focusout', look);
}

export function hide(element, isHidden) {
  postponed.delete(element);
  const field = isHidden && typedIn(element);
  if (field && (hosts.get(element)?.nodes || isUnsent(field))) {
    postponed.add(element);
    return onceLeft([element], () => { if (postponed.has(element)) hide(element, true); });
  }
  // Before hiding, as a browser takes the focus from a hidden element at once.
  const control = document.activeElement;
  const its = dom(element);
  if (isHidden && !isAway(element) && its.contains(control)) hidden.push([element, control]);
  focusing.toggle(element, isHidden);
}

const isAway = (element) => dom(element).hasAttribute('hidden');

/** Moves the focus off hidden elements, once all elements have been shown or hidden. */
export function mendFocus() {
  for (const [element, control] of hidden.splice(0)) if (isAway(element)) leave(element, control);
}

/** Moves the focus off an element that goes: to the same control in a later sibling, in an earlier one, or to a similar one. */
export function leave(element, control = document.activeElement) {
  if (!dom(element).contains(control)) return;
  const isAlike = (other) => dom(other).localName === dom(control).localName && isTyped(other) === isTyped(control);
  const isTwin = (other) => isAlike(other) && other.name === control.name && own(other).input === own(control).input;
  // A disabled control gets the focus only as the twin: there users find their place.
  const isUsable = (other) => isAlike(other) && other.ariaDisabled !== 'true';
  for (const isFit of [isTwin, isUsable]) {
    for (const side of ['nextElementSibling', 'previousElementSibling']) {
      for (let other = dom(element)[side]; other; other = dom(other)[side]) {
        if ([other, ...dom(other).querySelectorAll(dom(control).localName)].some((near) => isFit(near) && takesFocus(near))) return;
      }
    }
  }
  rest(dom(element).parentElement);
}

/** Gives the focus to an element that keys do not press. */
export function rest(element) {
  if (takesFocus(element)) return;
  dom(element).tabIndex = -1;
  takesFocus(element);
}

function takesFocus(element) {
  dom(element).focus({ preventScroll: true });
  return element === document.activeElement;
}
