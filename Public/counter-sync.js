// The page of the view model `counter-sync`: State, Inputs, and a Pulse that opens a dialog each time it is assigned.

import { Session } from './session.js';
import { showSession } from './panel.js';

const session = new Session('counter-sync');
const value = document.querySelector('#value');
const badge = document.querySelector('#is-reset');
const buttons = document.querySelectorAll('[data-input]');
const dialog = document.querySelector('dialog');

const displayed = (number) => String(number).replace('-', '−');

function render() {
  const { state } = session;
  for (const button of buttons) button.ariaDisabled = session.status === 'ended' || state === null;
  if (state === null) return;

  const text = displayed(state.value);
  if (value.textContent !== text) value.textContent = text; // said aloud once, when it changes
  badge.hidden = !state.isReset;
}

// A Pulse is an event, not a state: closing the dialog is this page's own affair.
session.addEventListener('pulse', ({ detail }) => {
  if (detail.name !== 'showAlert') return;
  dialog.querySelector('p').textContent = `현재 값: ${displayed(session.state.value)}`;
  if (!dialog.open) dialog.showModal();
});

for (const button of buttons) {
  button.addEventListener('click', () => {
    if (button.ariaDisabled !== 'true') session.send(button.dataset.input);
  });
}

session.addEventListener('state', render);
session.addEventListener('status', render);
showSession(session, ['increase', 'show']);
session.open();
