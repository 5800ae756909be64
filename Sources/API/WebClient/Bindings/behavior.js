// Behaviors, functions of the page's script: `data-behavior-chart="points"` calls `chart` when the element is added and when the
// value changes; the function that `chart` returns is called when the element is removed.

import { watching } from '../Expressions/watching.js';
import { onDeparture } from '../Page/departures.js';
import { showing } from './showing.js';

const behaviors = new Map();
const waiting = []; // calls of functions that no script has added yet

/** Adds a function `(element, value, before) => ending`. */
export function behavior(name, act) {
  behaviors.set(name, act);
  for (const call of waiting.splice(0)) call();
}

export const behaving = {
  ...showing('behavior-'),
  apply(element, scope, { value, target: name }) {
    let end;
    let isGone = false;
    onDeparture(element, () => {
      isGone = true;
      end?.();
    });
    return watching(value, element, scope, (element, value, before) => {
      const call = () => {
        const act = behaviors.get(name);
        if (!act) waiting.push(call);
        else if (!isGone) end = act(element, value, before) ?? end;
      };
      queueMicrotask(call); // after the element is on the page
    });
  },
};
