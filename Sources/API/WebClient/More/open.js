// `data-open="isAsking"`: a dialog that follows State.

import { expression } from '../Expressions/expressions.js';
import { localOf } from '../Expressions/scopes.js';
import { isYes } from '../Expressions/truth.js';
import { controlOf } from '../Page/bound.js';
import { isUnsent, rest, typedIn } from '../Page/focus.js';
import { restOfTyping } from '../Page/typing.js';
import { eachPulse } from './pulse.js';

export const open = {
  name: 'open',
  isLate: true,
  plan: (element, plan) => plan.read(element, 'data-open', expression),

  apply(dialog, scope, shown) {
    const pulse = eachPulse(scope, shown);
    let isShown = false;
    let opened; // what the dialog was opened for, until its close event, which comes later
    let isAnswering = false; // whether the Input for a dialog that the user closed is on its way
    let closed; // what was shown when the user closed it

    /** Opens the dialog, but not while the user types. */
    function openIt(value) {
      isShown = true;
      const rest = restOfTyping(shown);
      if (rest > 0) setTimeout(() => isShown && openIt(value), rest);
      else if (!dialog.open && dialog.isConnected && value !== opened) {
        opened = value;
        dialog.showModal();
        // Releasing the press that opened the dialog must not close it.
        if (dialog.closedBy === 'any') {
          dialog.closedBy = '';
          addEventListener('pointerdown', () => { dialog.closedBy = 'any'; }, { once: true });
        }
        document.querySelector('[slot=uifusion-login]')?.close(); // which makes it open again, above this one
      }
    }

    function update() {
      if (isAnswering) return;
      const value = pulse.isPulse() ? pulse.wasAssigned() : scope.session.connection !== 'ended' && shown(scope, dialog);
      if (isYes(value)) {
        if (value !== closed) openIt(pulse.isPulse() ? {} : value);
      } else if (!pulse.isPulse()) {
        closed = undefined;
        isShown = false;
        opened = undefined;
        // A key that is meant for the field must not press the control that opened the dialog.
        const field = typedIn(dialog);
        const isTyping = field && isUnsent(field);
        dialog.close();
        if (isTyping) rest(dialog.parentElement);
      }
    }

    // The user has closed the dialog; State knows of one that it has closed itself.
    dialog.addEventListener('close', async () => {
      if (dialog.open) return;
      opened = undefined;
      if (!isShown) return;
      isShown = false;
      const local = localOf(shown);
      if (local) return local.change(scope, { [shown.path]: false });
      if (!pulse.isPulse()) closed = shown(scope, dialog);
      const control = controlOf(dialog);
      if (!control?.input) return;
      isAnswering = true;
      await (await control.act())?.done;
      isAnswering = false;
      closed = undefined;
      update();
    });
    return update;
  },
};
