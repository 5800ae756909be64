// Plans the bindings below an element once, and applies them to the element, or to each copy of a template.

import { isUnknown } from '../Expressions/formats.js';
import { dom } from '../Page/dom.js';
import { reportMistake } from '../Page/mistakes.js';
import { named, own, plain } from '../Page/prefix.js';
import { later } from '../Service/more.js';
import { texts } from './texts.js';

export const bindings = [];

/**
 * Adds bindings, `{name, plan, apply}`: each for the attribute `data-name`, or, if the name ends with `-`, for all that begin so.
 *
 * `plan(element, plan, rest)` reads the attribute, once for all copies of a template; `rest` is what follows the name. What it
 * returns goes to `apply(element, scope, planned)`, which binds one element, and may return an update: that shows the newest
 * State. `isFor(element, plan)` decides in place of the name. Of an element with a binding that `isAlone` nothing else is bound,
 * and with `isContent` nothing in it; one that `isAround` comes before the others, one that `isLate` after all of the page.
 */
export function register(added) {
  const rank = ({ isAlone, isAround }) => (isAlone ? 0 : isAround ? 1 : 2);
  bindings.push(...added);
  bindings.sort((one, other) => rank(one) - rank(other));
}

/** Returns what follows a binding's name in each of the attributes of an element that it is for. */
function restsOf({ name, isFor }, element, plan) {
  if (isFor) return isFor(element, plan) ? [''] : [];
  const start = `data-${name}`;
  const names = [...dom(element).attributes].map((attribute) => plain(attribute.name) ?? '');
  return names.filter((its) => (name.endsWith('-') ? its.startsWith(start) : its === start)).map((its) => its.slice(start.length));
}

const verbatim = named('pre, code, script, style, textarea, [data-verbatim]');

/**
 * Plans a root. A plan has `steps`, `[path of the node, apply, planned]`, and `uses`, what its expressions read.
 * `depth` is the number of rows around the root, `locals` has the declarations around it by name, and the child by ''.
 */
export function planOf(root, depth, locals = new Map()) {
  const [soon, late, uses] = [[], [], []];

  /** Parses an attribute; reports a mistake. What only an Input reads does not count as shown. */
  const read = (node, where, parse, isSent) => {
    const source = node.localName ? dom(node).getAttribute(named(where)) : node.data;
    if (source === null) return undefined;
    try {
      let whole = parse(source);
      if (whole.uses.some(({ up }) => up > depth)) throw new Error('there are not so many rows around it');
      for (const use of whole.uses) {
        use.isSent = isSent;
        if (!use.up && !use.of) use.local = plan.locals.get(use.path.split('.')[0]);
      }
      whole = plan.locals.get('')?.within(whole, depth) ?? whole;
      if (!isSent) uses.push(...whole.uses);
      for (const { format } of whole.uses) if (isUnknown(format)) later('checkFormat', node, where, format);
      return whole;
    } catch ({ message }) {
      return reportMistake(node, where, `${source}: ${message}`);
    }
  };
  const plan = { root, depth, uses, read, locals };

  function visit(node, path, isVerbatim, locals) {
    plan.locals = locals;
    const tie = ({ plan: planned, apply, isLate }, rest) => {
      const its = planned(node, plan, rest);
      if (its) (isLate ? late : soon).push([path, apply, its]);
    };
    if (node instanceof Text && node.data.includes('{') && !isVerbatim) return tie(texts);
    if (own(node)) {
      let isBound = false;
      for (const binding of bindings) {
        const rests = restsOf(binding, node, plan);
        for (const rest of rests) tie(binding, rest);
        if (rests.length && binding.isAlone) return undefined;
        if (rests.length && binding.isContent) isBound = true;
      }
      locals = plan.locals;
      later('checkNames', node);
      if (isBound) return undefined;
    }
    isVerbatim ||= dom(node).matches?.(verbatim);
    const { childNodes } = dom(node); // texts get siblings meanwhile
    for (let place = 0; place < childNodes.length; place++) visit(childNodes[place], [...path, place], isVerbatim, locals);
    return undefined;
  }
  visit(root, [], dom(root).closest?.(verbatim), locals);
  plan.locals = locals;
  return { ...plan, steps: [...soon, ...late] };
}

/** Binds a root as planned. Returns the updates that make it show the newest State. */
export function grow(root, { steps }, scope) {
  const nodes = steps.map(([path]) => path.reduce((node, place) => dom(node).childNodes[place], root));
  return steps.flatMap(([, apply, planned], index) => {
    const node = nodes[index];
    const update = apply(node, scope, planned);
    return update ? () => {
      try {
        update();
      } catch ({ message }) {
        reportMistake(node, 'cannot be shown', message);
      }
    } : [];
  });
}

export function run(updates) {
  for (const update of updates) update();
}
