// `data-drop="move(id: $dragged)"`: the Input that an element sends when something is dropped on it.

import { inputExpression } from '../Expressions/inputs.js';
import { dom } from '../Page/dom.js';
import { checkInput } from '../Page/names.js';
import { nameOf } from '../Page/words.js';
import { inputsOf } from '../Schemas/known.js';
import { valueAt } from '../Session/paths.js';
import { draggedNow, isOwn, isPressing, release } from './dragged.js';

export const drop = {
  name: 'drop',
  plan: (element, plan) => plan.read(element, 'data-drop', inputExpression, true),

  apply(element, scope, input) {
    const node = dom(element);
    const { session } = scope;
    const isWanted = ({ target }) => draggedNow()?.session === session && !dom(draggedNow().element).contains(target) && session.state !== null;
    const drop = (event) => {
      if (!isWanted(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const sent = input(scope, element, valueAt(inputsOf(session), `${input.inputName}.properties`));
      const { element: dragged } = draggedNow();
      const words = `${nameOf(dragged)} → ${nameOf(element)}`;
      dom(dragged).focus();
      release();
      session.send(sent, { words });
    };
    node.addEventListener('dragover', (event) => { if (isWanted(event)) event.preventDefault(); });
    node.addEventListener('drop', drop);
    node.addEventListener('click', (event) => { if (isOwn(event)) drop(event); });
    node.addEventListener('keydown', (event) => { if (isPressing(event)) drop(event); });
    return () => inputsOf(session) && checkInput(element, input, inputsOf(session), scope, 'data-drop');
  },
};
