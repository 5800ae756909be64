// `data-drag=".id"`: an element that can be dragged, and the value that it stands for.

import { expression } from '../Expressions/expressions.js';
import { dom } from '../Page/dom.js';
import { named } from '../Page/prefix.js';
import { nameOf } from '../Page/words.js';
import { draggedNow, isOwn, isPressing, pick, release, within } from './dragged.js';

export const drag = {
  name: 'drag',
  plan: (element, plan) => plan.read(element, 'data-drag', expression, true),

  apply(element, scope, value) {
    const node = dom(element);
    const take = (says) => pick(element, scope.session, value(scope, element), says);
    node.draggable = true;
    if (node.tabIndex < 0) node.tabIndex = 0;
    node.addEventListener('dragstart', (event) => {
      event.dataTransfer.setData('text/plain', nameOf(element));
      take();
    });
    node.addEventListener('dragend', release);
    const toggle = (event) => {
      // A press on another element puts the dragged one down.
      if (draggedNow() && draggedNow().element !== element && node.closest(named('[data-drop]'))) return;
      event.preventDefault();
      event.stopPropagation();
      if (draggedNow()?.element === element) release();
      else take(true);
    };
    node.addEventListener('click', (event) => { if (isOwn(event)) toggle(event); });
    node.addEventListener('keydown', (event) => { if (isPressing(event) && !node.matches(within)) toggle(event); });
  },
};
