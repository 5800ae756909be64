// Warns of misspelt names: of the client's attributes, of Inputs, and of members.

import { isUnknown } from '../Expressions/formats.js';
import { inputsOfChild } from '../Schemas/members.js';
import { unwrapped } from '../Session/paths.js';
import { bindings } from '../Bindings/plans.js';
import { dom } from './dom.js';
import { reportMistake } from './mistakes.js';
import { named, plain } from './prefix.js';

/** Attributes that no binding is named for. */
const options = ('busy confirm debounce enabled key keep keys name notices on parameters repeat replaces seconds shared sort transition type '
  + 'verbatim where zone').split(' ');
/** Names that other libraries use, though they are similar to the client's. */
const others = ['state', 'test'];

/** Whether inserting, deleting, replacing or swapping at most so many letters makes two words equal. */
function isNear(one, other, most) {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  [one, other] = [one.slice(same), other.slice(same)];
  return one === other || most > 0
    && [[1, 0], [0, 1], [1, 1], ...one[0] === other[1] && one[1] === other[0] ? [[2, 2]] : []].some(([left, right]) => isNear(one.slice(left), other.slice(right), most - 1));
}

const near = (word, list) => list.find((name) => name[0] === word[0] && isNear(word, name, name.length > 4 ? 2 : 1));

/** Warns of attributes whose names are similar to one of the client's. */
export function checkNames(element) {
  const all = bindings.map(({ name }) => name);
  const kinds = all.filter((name) => name.endsWith('-')).map((name) => name.slice(0, -1));
  const names = [...all.filter((name) => !name.endsWith('-')), ...options].sort();
  for (const { name } of dom(element).attributes) {
    const [, word, kind, rest] = /^data-(([a-z]+)(-.+)?)$/.exec(plain(name)) ?? [];
    if (!word || [...names, ...others].includes(word) || rest && [...kinds, 'keys'].includes(kind)) continue;
    const meant = rest && near(kind, kinds) ? near(kind, kinds) + rest : near(word, names);
    if (meant) reportMistake(element, plain(name), `this does nothing; is it ${named(`data-${meant}`)}?`, 'warn');
  }
}

/** Reports a format that no script has added in time. */
export function checkFormat(node, where, name) {
  setTimeout(() => isUnknown(name) && reportMistake(node, where, `there is no format “${name}”`), 2000);
}

/** Warns of a member that State does not have: misspelt, unless it is an optional one that is left out while it is nil. */
export function checkMember(node, root, path, isRow) {
  let around = root;
  for (const name of path.split('.')) {
    around = unwrapped(around);
    if (!node || Object(around) !== around) return;
    const members = Object.keys(around);
    const meant = near(name, members);
    if (!members.includes(name)) {
      const isOfState = around === root && !isRow && !Array.isArray(root);
      const advice = isOfState ? `State has no such member; it has ${members.join(', ')}` : meant && `is “${name}” “${meant}”?`;
      if (advice) reportMistake(node, isOfState ? name : path, advice, 'warn');
      return;
    }
    around = around[name];
  }
}

/** Warns of an Input that the service would refuse. */
export function checkInput(element, { inputName: name, labels, at }, inputs, scope, where = 'data-input') {
  const warn = (advice) => reportMistake(element, where, advice, 'warn');
  const names = [...at?.(scope) ?? [], name];
  for (const [place, one] of names.entries()) {
    if (!Object.keys(inputs).length) return undefined; // the Inputs are unknown
    if (!Object.hasOwn(inputs, one)) return warn(`there is no Input “${one}”; there are ${Object.keys(inputs).join(', ')}`);
    inputs = place < names.length - 1 ? inputsOfChild(inputs[one]) : inputs[one];
  }
  const { properties, required = [] } = inputs;
  if (!properties) return undefined;
  const has = `“${name}” has ${Object.keys(properties).join(', ') || 'no members'}`;
  for (const label of labels) if (!Object.hasOwn(properties, label)) warn(`${has}, not “${label}”`);
  for (const label of required) if (!labels.includes(label)) warn(`${has}: “${label}” is missing`);
}
