// Keys that click a control wherever the focus is.

import { release } from './dragging.js';

export function listenToKeys() {
  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key === 'Escape') release();
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest?.('input, select, textarea, [contenteditable]') || document.querySelector('dialog:modal')) return;
    // A button's own key clicks the button that has the focus.
    if ((key === 'Enter' || key === ' ') && target.closest?.('a, button, summary')) return;
    const control = [...document.querySelectorAll('[data-keys]')].find((element) =>
      element.dataset.keys.split(/\s+/).includes(key) && element.getClientRects().length > 0);
    if (!control) return;
    event.preventDefault();
    control.click();
  });
}
