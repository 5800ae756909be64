// `data-set="isEditing: true"`: changes what `data-local` declares.

import { assignments } from '../Expressions/expressions.js';
import { happening } from '../Expressions/happening.js';
import { eventsOf } from '../Fields/values.js';
import { dom } from '../Page/dom.js';
import { reportMistake } from '../Page/mistakes.js';

export const set = {
  name: 'set',

  plan(element, plan) {
    const changes = plan.read(element, 'data-set', assignments, true);
    if (!changes) return undefined;
    const unknown = changes.names.find((name) => !plan.locals.has(name));
    if (unknown) return reportMistake(element, 'data-set', `no data-local around it has “${unknown}”`);
    return { changes, locals: plan.locals };
  },

  apply(node, scope, { changes, locals }) {
    for (const type of eventsOf(node)) {
      dom(node).addEventListener(type, (event) => {
        happening.event = event;
        if (type === 'submit') event.preventDefault();
        for (const [name, value] of Object.entries(changes(scope, node))) locals.get(name).change(scope, { [name]: value });
      });
    }
  },
};
