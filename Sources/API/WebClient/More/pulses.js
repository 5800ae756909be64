// Elements that react to each assignment of a Pulse.

import { dom } from '../Core/dom.js';
import { isPulse, valueAt } from '../Core/paths.js';
import { own } from '../Core/prefix.js';
import { expression } from '../Bindings/expressions.js';
import { reportMistake } from '../Bindings/mistakes.js';
import { pathOf } from './children.js';

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

export function pulseStep(element, plan) {
  const { seconds } = own(element);
  const pulse = plan.read(element, 'data-pulse', expression);
  if (pulse && (pulse.up !== 0 || pulse.uses[0].up)) return reportMistake(element, 'data-pulse', 'name a Pulse of State');
  return pulse && ((element, scope) => {
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
  });
}
