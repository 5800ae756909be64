// Plans the bindings below an element once, and applies them to the element, or to each copy of a template.

import { arrival, more } from '../Core/more.js';
import { dom } from '../Core/dom.js';
import { named, own } from '../Core/prefix.js';
import { attributeSteps } from './attributes.js';
import { bindContainer } from './bindings.js';
import { controlStep } from './controls.js';
import { template } from './expressions.js';
import { fieldStep } from './fields.js';
import { isUnknown } from './formats.js';
import { listStep } from './lists.js';
import { reportMistake } from './mistakes.js';
import { textStep } from './texts.js';

const verbatim = named('pre, code, script, style, textarea, [data-verbatim]');

/**
 * Plans a root. A plan has `steps`, `[path of the node, (node, scope) => update]`, and `uses`, what its expressions read.
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
      whole = more.within?.(whole, plan) ?? whole;
      if (!isSent) uses.push(...whole.uses);
      for (const { format } of whole.uses) if (isUnknown(format)) arrival.then(({ checkFormat }) => checkFormat(node, where, format));
      return whole;
    } catch ({ message }) {
      return reportMistake(node, where, `${source}: ${message}`);
    }
  };
  const plan = { depth, uses, read, locals };

  function visit(node, path, isVerbatim, locals) {
    plan.locals = locals;
    const tie = (step, steps = soon) => step && steps.push([path, step]);
    if (node instanceof Text && node.data.includes('{') && !isVerbatim) {
      const text = read(node, 'text', template);
      return text && tie(textStep(node, text));
    }
    const dataset = own(node);
    if (dataset) {
      if (path.length && 'viewModel' in dataset) return tie(bindContainer, late);
      if ('ignore' in dataset) return undefined;
      if ('each' in dataset) return tie(listStep(node, plan));
      for (const step of more.first ?? []) tie(step(node, plan));
      locals = plan.locals;
      arrival.then(({ checkNames }) => checkNames(node));
      for (const step of attributeSteps(node, plan)) tie(step);
      for (const step of [controlStep, ...more.soon ?? []]) tie(step(node, plan));
      // These need what the other steps have put on the page.
      for (const step of [fieldStep, ...more.late ?? []]) tie(step(node, plan), late);
      if ('text' in dataset) return undefined;
    }
    isVerbatim ||= dom(node).matches?.(verbatim);
    const { childNodes } = dom(node); // texts get siblings meanwhile
    for (let place = 0; place < childNodes.length; place++) visit(childNodes[place], [...path, place], isVerbatim, locals);
  }
  visit(root, [], dom(root).closest?.(verbatim), locals);
  plan.locals = locals;
  return { ...plan, steps: [...soon, ...late] };
}

/** Binds a root as planned. Returns the updates that make it show the newest State. */
export function grow(root, { steps }, scope) {
  const nodes = steps.map(([path]) => path.reduce((node, place) => dom(node).childNodes[place], root));
  return steps.flatMap(([, step], index) => {
    const node = nodes[index];
    const update = step(node, scope);
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
