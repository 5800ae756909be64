// The question before an Input that should not be sent by mistake.

import { dom } from '../Page/dom.js';
import { elementOf } from '../Page/elements.js';
import { nameOf } from '../Page/words.js';

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
