// What is noticed each time that a Pulse is assigned.

import { isPulse, valueAt } from '../Core/paths.js';
import { own } from '../Core/prefix.js';
import { expression } from '../Bindings/expressions.js';
import { reportMistake } from '../Bindings/mistakes.js';
import { pathOf } from './children.js';

/** Whether it is a Pulse, once there is a State, and whether it was assigned since it was asked last. */
export function eachPulse({ session }, { up, uses: [use] }) {
  let isDue = false;
  const path = up === 0 && !use.up && !use.local && pathOf(use);
  // The State that it came with is shown next.
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
    // While it is not shown it is not there: what it had to say before is nobody's to find.
    const place = document.createComment('');
    let timer;
    // Not under the pointer or the focus: it is being read.
    const rest = () => {
      if (element.matches(':hover, :focus-within')) timer = setTimeout(rest, 1000);
      else element.replaceWith(place);
    };
    element.hidden = false;
    element.replaceWith(place);
    return () => {
      if (!wasAssigned()) return;
      clearTimeout(timer);
      // Gone in between, so that the same words are said again.
      element.replaceWith(place);
      requestAnimationFrame(() => place.replaceWith(element));
      if (seconds) timer = setTimeout(rest, seconds * 1000);
    };
  });
}
