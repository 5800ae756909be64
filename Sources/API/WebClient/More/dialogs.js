// Dialogs that follow State, and the question before an Input that should not be sent by mistake.

import { dom } from '../Core/dom.js';
import { controlOf } from '../Bindings/controls.js';
import { elementOf } from './elements.js';
import { expression } from '../Bindings/expressions.js';
import { isUnsent, rest, typedIn } from '../Bindings/focus.js';
import { localOf } from '../Bindings/scopes.js';
import { setLocal } from './locals.js';
import { eachPulse } from './pulses.js';
import { restOfTyping } from './typing.js';
import { isYes } from '../Bindings/truth.js';
import { nameOf } from './words.js';

export function dialogStep(element, plan) {
  const shown = plan.read(element, 'data-open', expression);
  return shown && ((dialog, scope) => {
    const pulse = eachPulse(scope, shown);
    let isShown = false;
    let isAnswering = false; // whether the Input for a dialog that the user closed is on its way
    let closed; // what was shown when the user closed it

    /** Opens the dialog, but not while the user types. */
    function open() {
      isShown = true;
      const rest = restOfTyping(shown);
      if (rest > 0) setTimeout(() => isShown && open(), rest);
      else if (!dialog.open && dialog.isConnected) {
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
        if (value !== closed) open();
      } else if (!pulse.isPulse()) {
        closed = undefined;
        isShown = false;
        // A key that is meant for the field must not press the control that opened the dialog.
        const field = typedIn(dialog);
        const isTyping = field && isUnsent(field);
        dialog.close();
        if (isTyping) rest(dialog.parentElement);
      }
    }

    // The user has closed the dialog; State knows of one that it has closed itself.
    dialog.addEventListener('close', async () => {
      if (!isShown || dialog.open) return;
      isShown = false;
      const local = localOf(shown);
      if (local) return setLocal(local, scope, { [shown.path]: false });
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
  });
}

// Hides a popover when the focus leaves it, as it may cover the focused element.
addEventListener('focusout', ({ target, relatedTarget }) => {
  const popover = relatedTarget && dom(target).closest?.('[popover]');
  if (popover && !popover.contains(relatedTarget)) popover.hidePopover();
});

/** Asks a question; resolves to whether the user says yes. */
export function confirmed(question, control) {
  const yes = nameOf(control) || 'OK';
  const dialog = elementOf('dialog', { className: 'confirm', ariaLabel: question }, elementOf('form', { method: 'dialog' }, elementOf('p', {}, question),
    elementOf('button', { autofocus: true }, /cancel/i.test(yes) ? 'Back' : 'Cancel'), ' ',
    elementOf('button', { value: 'yes', className: 'primary' }, yes)));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => {
      dialog.remove();
      dom(control).focus();
      resolve(dialog.returnValue === 'yes');
    };
  });
}
