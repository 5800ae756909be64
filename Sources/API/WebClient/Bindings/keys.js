// Keys that click a control wherever the focus is.

import { release } from './dragging.js';

export function listenToKeys() {
  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key === 'Escape') release();
    if (event.defaultPrevented || event.repeat) return;
    const held = ['Control', 'Meta', 'Alt'].filter((modifier) => event.getModifierState(modifier)).map((modifier) => `${modifier}+`).join('');
    if (!held && target.closest?.('input, select, textarea, [contenteditable]') || document.querySelector('dialog:modal')) return;
    // A button's own key clicks the button that has the focus.
    if ((key === 'Enter' || key === ' ') && target.closest?.('a, button, summary')) return;
    const control = [...document.querySelectorAll('[data-keys]')].find((element) =>
      element.dataset.keys.split(/\s+/).includes(held + key) && element.getClientRects().length > 0);
    if (!control) return;
    event.preventDefault();
    control.click();
  });
}
