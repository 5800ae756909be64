// The attributes that show a value: as text, attribute, property, class, style, or visibility.

import { attempt } from '../Core/attempts.js';
import { dom } from '../Core/dom.js';
import { plain } from '../Core/prefix.js';
import { behaving } from './behaviors.js';
import { expression } from './expressions.js';
import { hide } from './focus.js';
import { reportMistake } from './mistakes.js';
import { isYes, textOf } from './truth.js';
import { watching } from './watching.js';

/** Sets an attribute; removes it for null, undefined and false. */
export function setAttribute(element, name, value, space) {
  const its = dom(element);
  if (value === null || value === undefined || value === false) its.removeAttribute(name);
  else if (its.getAttribute(name) !== value) {
    const text = value === true ? '' : textOf(value);
    if (space) its.setAttributeNS(space, name, text);
    else its.setAttribute(name, text);
  }
}

/** Returns an attribute as the browser's parser knows it: in SVG `viewbox` is `viewBox`, and `xlink:href` has a namespace. */
function attributeOf(element, name) {
  const root = /svg|math/i.exec(dom(element).namespaceURI);
  return root && attempt(() => new DOMParser().parseFromString(`<${root} ${name}>`, 'text/html').body.firstChild.attributes[0]) || { name };
}

/** Whether an address would run a script; browsers ignore blanks in it. An animation in SVG may set an address. */
const isCode = (name, value) => /(href|src|action)$|^(data|from|to|by|values)$/.test(name)
  && /(^|;)javascript:/i.test(textOf(value).replace(/[\0- ]/g, ''));

/** How each kind of attribute shows a value; `data-class-name` has the kind `class` and the name `name`. */
const kinds = {
  text: (element, value) => { if (dom(element).textContent !== textOf(value)) dom(element).textContent = textOf(value); },
  attr: (element, value, { name, namespaceURI }) => setAttribute(element, name, isCode(name, value) ? null : value, namespaceURI),
  prop: (element, value, name) => { dom(element)[name] = value; },
  class: (element, value, name) => dom(element).classList.toggle(name, isYes(value)),
  style: (element, value, name) => dom(element).style.setProperty(name, textOf(value)),
  show: (element, value) => hide(element, !isYes(value)),
};

export function attributeSteps(element, plan) {
  return [...dom(element).attributes].map((its) => {
    const attribute = plain(its.name);
    const [, alone, kind = alone, name] = /^data-(?:(text|show)$|(attr|behavior|prop|class|style)-(.*))/.exec(attribute) ?? [];
    const property = name?.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    const isRun = { attr: /^(on|style$|srcdoc$)/, prop: /^(on|(inner|outer)HTML$|srcdoc|href|src|action|formAction|data$|__)/i };
    if (isRun[kind]?.test(kind === 'prop' ? property : name) || kind && element.localName === 'script' && !/json/.test(element.type)) {
      return reportMistake(element, attribute, 'no code is run; use data-input');
    }
    const value = kind && plan.read(element, attribute, expression);
    if (kind === 'behavior') return value && behaving(name, value);
    const showNothing = kind === 'show' ? (element) => hide(element, true) : undefined;
    const target = kind === 'attr' ? attributeOf(element, name) : kind === 'prop' ? property : name;
    return value && watching(value, (element, value) => kinds[kind](element, value, target), showNothing);
  });
}
