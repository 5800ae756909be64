// Parts of the page that show one child: `data-scope="cart"`. Inside, expressions read the child's State, and Inputs are sent to
// the child, so that one fragment of HTML serves a child view model wherever it stands.

import { expression } from '../Expressions/expressions.js';
import { watching } from '../Expressions/watching.js';
import { hide } from '../Page/focus.js';
import { reportMistake } from '../Page/mistakes.js';
import { own } from '../Page/prefix.js';
import { fitting } from '../Schemas/fitting.js';
import { inputsOf } from '../Schemas/known.js';
import { inputsOfChild } from '../Schemas/members.js';
import { valueAt } from '../Session/paths.js';

// A child is {around, depth, use, isRow, within}: the child around it, the number of rows around it, the use that reads its
// State, whether that is a row, and a function that reads the child in place of its parent. The declarations around an element have the child by an empty name.

export const pathOf = ({ base, path }) => [base, path].filter(Boolean).join('.');

/** Binds an element to a child; the element is hidden while there is no child. */
export const scope = {
  name: 'scope',
  isAround: true,

  plan(element, plan) {
    if (!own(element).scope) return undefined;
    const shown = plan.read(element, 'data-scope', expression);
    const [use] = shown?.uses ?? [];
    if (!use || shown.path !== use.path || use.local || use.of || use.path[0] === '$') return reportMistake(element, 'data-scope', 'name a child');
    const { depth, locals } = plan;
    const child = { around: locals.get(''), depth, use, isRow: shown.up > 0, within: (whole, depth) => within(whole, child, depth) };
    plan.locals = new Map(locals).set('', child);
    return Object.assign((...place) => (shown(...place) ?? null) !== null, { uses: [use] });
  },

  apply: (element, scope, isThere) => watching(isThere, element, scope, (element, isThere) => hide(element, !isThere)),
};

/** Makes an expression read the child's State, and wraps an Input in those of the child's parents. */
function within(whole, child, depth) {
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
      const schema = valueAt(inputs, name);
      inputs = inputsOfChild(schema);
      return (input) => ({ [name]: row ? { id: fitting(row.key, schema?.properties?.id), input } : input });
    });
    const input = whole(scope, control, valueAt(inputs, `${whole.inputName}.properties`));
    return input && calls.reduceRight((input, call) => call(input), input);
  }, whole, { at: (scope) => callsOf(child, scope).map(([name]) => name) });
}

/** Returns `[name of the parent's Input, row if the child is one of a list]` for each child, from the outermost on. */
function callsOf({ around, depth, use: { up, path }, isRow }, scope) {
  const outer = around ? callsOf(around, scope) : [];
  if (isRow) for (up += scope.depth - depth; up > 1; up--) scope = scope.parent;
  // A stack has its children in a member.
  const name = (isRow ? scope.each : path).split('.').at(isRow && path === 'state' ? -2 : -1);
  return [...outer, [name, isRow && scope]];
}
