// The page of the view model `counter`: it draws State and sends Inputs, and decides nothing itself.

import { Session } from './session.js';
import { showSession } from './panel.js';

const session = new Session('counter');
const value = document.querySelector('#value');
const marker = document.querySelector('#marker');
const buttons = document.querySelectorAll('[data-input]');
const dialog = document.querySelector('dialog');
let isDismissing = false;

function render() {
  const { state } = session;
  const isOver = session.status === 'ended';

  for (const button of buttons) {
    const isBusy = !isOver && state !== null && button.dataset.loading === state.loadingState;
    button.ariaBusy = isBusy;
    button.ariaDisabled = isBusy || isOver || state === null; // not `disabled`: that would drop the keyboard focus
  }
  if (state === null) return;

  const text = String(state.value).replace('-', '−');
  if (value.textContent !== text) value.textContent = text; // said aloud once, when it changes
  marker.setAttribute('cx', state.value);
  renderAlert(isOver ? null : state.activeAlert);
}

function renderAlert(alert) {
  if (!alert) {
    dialog.close();
    return;
  }
  const isError = alert.kind === 'error';
  dialog.querySelector('h2').textContent = isError ? '오류' : '알림';
  dialog.querySelector('p').textContent = alert.message;
  dialog.querySelector('button').textContent = isError ? '확인' : '닫기';
  if (!dialog.open && !isDismissing) dialog.showModal();
}

// Closed by State there is nothing left to dismiss; closed by button or Escape, State must hear of it.
dialog.addEventListener('close', async () => {
  if (dialog.open || session.status === 'ended' || !session.state?.activeAlert) return;
  isDismissing = true;
  await session.send('dismissAlert');
  isDismissing = false;
  render();
});

for (const button of buttons) {
  button.addEventListener('click', () => {
    if (button.ariaDisabled !== 'true') session.send(button.dataset.input);
  });
}

const keys = { '+': 'increase', '-': 'decrease', ArrowUp: 'increase', ArrowDown: 'decrease' };

document.addEventListener('keydown', (event) => {
  const input = keys[event.key];
  const isArrowInControl = event.key.startsWith('Arrow') && event.target.closest('a, button');
  if (!input || isArrowInControl || dialog.open || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector(`[data-input="${input}"]`).click();
});

session.addEventListener('state', render);
session.addEventListener('status', render);
showSession(session, ['increase', 'show']);
session.open();
