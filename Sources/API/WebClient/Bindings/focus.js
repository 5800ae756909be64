// The focus never falls to the body: when what has it goes, it moves to the nearest thing of its kind. From under one
// who types it goes nowhere: what he types would end up elsewhere, and a blank would press what it finds.

import { own } from '../Core/prefix.js';
import { hosts } from './bindings.js';
import { fieldOf } from './fields.js';
import { isTyped } from './values.js';

const hidden = [];
const postponed = new WeakSet(); // what is to be hidden once nobody types in it

/** The field in an element that somebody types into. */
export function typedIn(...elements) {
  const field = document.activeElement;
  return field && isTyped(field) && elements.some((element) => element.contains(field)) ? field : undefined;
}

/** Whether a field holds what has not been sent. */
export const isUnsent = (field) => fieldOf(field)?.isUnsent() ?? field.value !== (field.defaultValue ?? field.value);

/** The field in an element that somebody types into, or has typed into what is not sent while the focus is still there. */
export function editedIn(...elements) {
  const isThere = elements.some((element) => element.contains(document.activeElement));
  const fields = isThere ? elements.flatMap((element) => [element, ...element.querySelectorAll('*')]) : [];
  return typedIn(...elements) ?? fields.find((field) => isTyped(field) && isUnsent(field) && field.checkVisibility());
}

/** Calls once nobody types in the elements any more. */
export function onceLeft(elements, action) {
  const look = () => setTimeout(() => {
    if (editedIn(...elements)) return;
    for (const element of elements) element.removeEventListener('focusout', look);
    action();
  });
  for (const element of elements) element.addEventListener('focusout', look);
}

export function hide(element, isHidden) {
  postponed.delete(element);
  const field = isHidden && typedIn(element);
  if (field && (hosts.get(element)?.nodes || isUnsent(field))) {
    postponed.add(element);
    return onceLeft([element], () => { if (postponed.has(element)) hide(element, true); });
  }
  // Noted before: a browser takes the focus away at once from what it hides.
  const control = document.activeElement;
  if (isHidden && !element.hidden && element.contains(control)) hidden.push([element, control]);
  element.hidden = isHidden;
}

/** Once all of them have been shown or hidden. */
export function mendFocus() {
  for (const [element, control] of hidden.splice(0)) if (element.hidden) leave(element, control);
}

/** `element` goes: what has the focus in it gives it to the same control further on, then before, or to one like it. */
export function leave(element, control = document.activeElement) {
  if (!element.contains(control)) return;
  const isAlike = (other) => other.localName === control.localName && isTyped(other) === isTyped(control);
  const isTwin = (other) => isAlike(other) && other.name === control.name && own(other).input === own(control).input;
  // What is off leads nowhere, but where its twin was, the user is still where he was.
  const isUsable = (other) => isAlike(other) && other.ariaDisabled !== 'true';
  for (const isFit of [isTwin, isUsable]) {
    for (const side of ['nextElementSibling', 'previousElementSibling']) {
      for (let other = element[side]; other; other = other[side]) {
        if ([other, ...other.querySelectorAll(control.localName)].some((near) => isFit(near) && takesFocus(near))) return;
      }
    }
  }
  rest(element.parentElement);
}

/** Gives the focus to an element that no key fires. */
export function rest(element) {
  if (takesFocus(element)) return;
  element.tabIndex = -1;
  takesFocus(element);
}

function takesFocus(element) {
  element.focus({ preventScroll: true });
  return element === document.activeElement;
}
