// Elements that react to each assignment of a Pulse.

import { expression } from '../Expressions/expressions.js';
import { dom } from '../Page/dom.js';
import { reportMistake } from '../Page/mistakes.js';
import { own } from '../Page/prefix.js';
import { isPulse, valueAt } from '../Session/paths.js';
import { pathOf } from './scope.js';

/** Returns `isPulse()`, whether the expression is a Pulse, and `wasAssigned()`, whether it was assigned since the last call. */
export function eachPulse({ session }, { up, uses: [use] }) {
  let isDue = false;
  const path = up === 0 && !use.up && !use.local && pathOf(use);
  // The State with the assignment is shown next.
  if (path) session.pulse(path, () => { isDue = true; });
  return {
    isPulse: () => path && isPulse(valueAt(session.state, path)),
    wasAssigned: () => isDue && !(isDue = false),
  };
}

export const pulse = {
  name: 'pulse',

  plan(element, plan) {
    const pulse = plan.read(element, 'data-pulse', expression);
    if (pulse && (pulse.up !== 0 || pulse.uses[0].up)) return reportMistake(element, 'data-pulse', 'name a Pulse of State');
    return pulse;
  },

  apply(element, scope, pulse) {
    const { seconds } = own(element);
    const { wasAssigned } = eachPulse(scope, pulse);
    // Takes the element off the page while it is not shown, so that nobody finds its old words.
    const its = dom(element);
    const place = document.createComment('');
    let timer;
    // Stays under the pointer or the focus, as the user may be reading.
    const rest = () => {
      if (its.matches(':hover, :focus-within')) timer = setTimeout(rest, 1000);
      else its.replaceWith(place);
    };
    its.removeAttribute('hidden');
    its.replaceWith(place);
    return () => {
      if (!wasAssigned()) return;
      clearTimeout(timer);
      // Removed in between, so that a screen reader says the same words again.
      its.replaceWith(place);
      requestAnimationFrame(() => place.replaceWith(element));
      if (seconds) timer = setTimeout(rest, seconds * 1000);
    };
  },
};
