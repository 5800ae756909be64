// A part of the page that is one child's: `data-scope="cart"`. Inside, members are those of the child's State, and Inputs are
// sent to the child, so that one fragment of HTML serves a child view model wherever it stands.

import { own } from '../Core/prefix.js';
import { expression } from '../Bindings/expressions.js';
import { fitting } from '../Bindings/fitting.js';
import { hide } from '../Bindings/focus.js';
import { reportMistake } from '../Bindings/mistakes.js';
import { inputsOf } from '../Bindings/schemas.js';
import { watching } from '../Bindings/watching.js';
import { inputsOfChild } from './schemas.js';

// A child is {around, depth, use, isRow}: the child around it, how many rows it stands in, what leads to its State, and
// whether that is a row. What is declared around an element has it by no name.

export const pathOf = ({ base, path }) => [base, path].filter(Boolean).join('.');

/** Whoever removes the child hides the element. */
export function childStep(element, plan) {
  if (!own(element).scope) return undefined;
  const shown = plan.read(element, 'data-scope', expression);
  const [use] = shown?.uses ?? [];
  if (!use || shown.path !== use.path || use.local || use.of || use.path[0] === '$') return reportMistake(element, 'data-scope', 'name a child');
  const { depth, locals } = plan;
  plan.locals = new Map(locals).set('', { around: locals.get(''), depth, use, isRow: shown.up > 0 });
  const isThere = Object.assign((...place) => (shown(...place) ?? null) !== null, { uses: [use] });
  return watching(isThere, (element, isThere) => hide(element, !isThere));
}

/** An expression as the child reads it, an Input as its parents pass it on. */
export function within(whole, { locals, depth }) {
  const child = locals.get('');
  if (!child) return whole;
  const { up } = child.use;
  for (const use of whole.uses) {
    if (use.up || use.of || use.local || use.path[0] === '$') continue;
    use.base = pathOf(child.use);
    use.up = up && up + depth - child.depth;
  }
  if (!whole.inputName) return whole;
  return Object.assign((scope, control) => {
    let inputs = inputsOf(scope.session);
    const calls = callsOf(child, scope).map(([name, row]) => {
      const schema = inputs?.[name];
      inputs = inputsOfChild(schema);
      return (input) => ({ [name]: row ? { id: fitting(row.key, schema?.properties?.id), input } : input });
    });
    const input = whole(scope, control, inputs[whole.inputName]?.properties);
    return input && calls.reduceRight((input, call) => call(input), input);
  }, whole, { at: (scope) => callsOf(child, scope).map(([name]) => name) });
}

/** From the outermost on: the name of the parent's Input, and the row where the child is one of a list. */
function callsOf({ around, depth, use: { up, path }, isRow }, scope) {
  const outer = around ? callsOf(around, scope) : [];
  if (isRow) for (up += scope.depth - depth; up > 1; up--) scope = scope.parent;
  // A stack has its items in a member.
  const name = (isRow ? scope.each : path).split('.').at(isRow && path === 'state' ? -2 : -1);
  return [...outer, [name, isRow && scope]];
}
