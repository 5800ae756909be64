// The attributes that show a value: as text, attribute, property, class, style, or visibility.

import { plain } from '../Core/prefix.js';
import { behaving } from './behaviors.js';
import { expression } from './expressions.js';
import { hide } from './focus.js';
import { reportMistake } from './mistakes.js';
import { isYes, textOf } from './truth.js';
import { watching } from './watching.js';

/** Sets an attribute; removes it for null, undefined and false. */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value === true ? '' : textOf(value));
}

/** Whether an address would run a script; browsers ignore blanks in it. */
const isCode = (name, value) => /(href|src|action)$/.test(name) && /^javascript:/i.test(textOf(value).replace(/[\0- ]/g, ''));

/** How each kind of attribute shows a value; `data-class-name` has the kind `class` and the name `name`. */
const kinds = {
  text: (element, value) => { if (element.textContent !== textOf(value)) element.textContent = textOf(value); },
  attr: (element, value, name) => setAttribute(element, name, isCode(name, value) ? null : value),
  prop: (element, value, name) => { element[name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())] = value; },
  class: (element, value, name) => element.classList.toggle(name, isYes(value)),
  style: (element, value, name) => element.style.setProperty(name, textOf(value)),
  show: (element, value) => hide(element, !isYes(value)),
};

export function attributeSteps(element, plan) {
  return [...element.attributes].map((its) => {
    const attribute = plain(its.name);
    const [, alone, kind = alone, name] = /^data-(?:(text|show)$|(attr|behavior|prop|class|style)-(.*))/.exec(attribute) ?? [];
    const isRun = { attr: /^(on|style$|srcdoc$)/, prop: /^(on|(inner|outer)-?html|srcdoc|href|src|action|form-?action)/ };
    if (isRun[kind]?.test(name)) {
      return reportMistake(element, attribute, 'no code is run; use data-input');
    }
    const value = kind && plan.read(element, attribute, expression);
    if (kind === 'behavior') return value && behaving(name, value);
    const showNothing = kind === 'show' ? (element) => hide(element, true) : undefined;
    return value && watching(value, (element, value) => kinds[kind](element, value, name), showNothing);
  });
}
