// Keys that click a control wherever the focus is.

import { named, own } from '../Core/prefix.js';
import { browserStorage, keep } from '../Core/storage.js';
import { release } from './dragging.js';

const kept = 'uifusion-keys';

export function listenToKeys() {
  // A key that is one character could be meant for something else: speech is typed (WCAG 2.1.4).
  const box = document.querySelector(named('[data-keys-switch]'));
  if (box) box.checked = browserStorage.getItem(kept) !== 'off';
  box?.addEventListener('change', () => keep(browserStorage, kept, box.checked ? 'on' : 'off'));

  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key === 'Escape') release();
    if (event.defaultPrevented || event.repeat) return;
    const held = ['Control', 'Meta', 'Alt'].filter((modifier) => event.getModifierState(modifier)).map((modifier) => `${modifier}+`).join('');
    if (!held && key.length === 1 && box && !box.checked) return;
    if (!held && target.closest?.('input, select, textarea, [contenteditable]') || document.querySelector('dialog:modal')) return;
    // A button's own key clicks the button that has the focus.
    if ((key === 'Enter' || key === ' ') && target.closest?.('a, button, summary')) return;
    const control = [...document.querySelectorAll(named('[data-keys]'))].find((element) =>
      own(element).keys.split(/\s+/).includes(held + key) && element.getClientRects().length > 0);
    if (!control) return;
    event.preventDefault();
    control.click();
  });
}
