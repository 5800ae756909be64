// `data-attr-title="name"`: shows a value as an attribute.

import { textOf } from '../Expressions/truth.js';
import { setAttribute } from '../Page/attribute.js';
import { dom } from '../Page/dom.js';
import { attempt } from '../Service/attempts.js';
import { showing } from './showing.js';

/** Returns an attribute as the browser's parser knows it: in SVG `viewbox` is `viewBox`, and `xlink:href` has a namespace. */
function attributeOf(element, name) {
  const root = /svg|math/i.exec(dom(element).namespaceURI);
  return root && attempt(() => new DOMParser().parseFromString(`<${root} ${name}>`, 'text/html').body.firstChild.attributes[0]) || { name };
}

/** Whether an address would run a script; browsers ignore blanks in it. An animation in SVG may set an address. */
const isScript = (name, value) => /(href|src|action)$|^(data|from|to|by|values)$/.test(name)
  && /(^|;)javascript:/i.test(textOf(value).replace(/[\0- ]/g, ''));

export const attr = showing('attr-',
  (element, value, { name, namespaceURI }) => setAttribute(element, name, isScript(name, value) ? null : value, namespaceURI),
  { targetOf: attributeOf, isCode: (name) => /^(on|style$|srcdoc$)/.test(name) });
