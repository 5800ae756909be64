// Keys that click a control wherever the focus is.

import { named, own } from '../Core/prefix.js';
import { isField } from '../Bindings/values.js';
import { browserStorage, keep } from '../Core/storage.js';
import { release } from './dragging.js';
import { wasAsked } from './typing.js';

const kept = 'uifusion-keys';

export function listenToKeys() {
  // Single characters can be switched off, as speech input types them (WCAG 2.1.4).
  const box = document.querySelector(named('[data-keys-switch]'));
  if (box) box.checked = browserStorage.getItem(kept) !== 'off';
  box?.addEventListener('change', () => keep(browserStorage, kept, box.checked ? 'on' : 'off'));

  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key === 'Escape') release();
    if (event.defaultPrevented || event.repeat) return;
    const held = ['Control', 'Meta', 'Alt'].filter((modifier) => event.getModifierState(modifier)).map((modifier) => `${modifier}+`).join('');
    if (!held && key.length === 1 && box && !box.checked) return;
    if (!held && (target.isContentEditable || target.matches && isField(target))) return;
    // Enter and the space bar click the focused button.
    if ((key === 'Enter' || key === ' ') && target.closest?.('a, button, summary')) return;
    const shift = key.length > 1 && event.shiftKey ? 'Shift+' : '';
    const around = target.closest?.('dialog:modal') ?? [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
    const isWithin = (element) => element.closest(named('[data-keys-within]'))?.contains(target) ?? true;
    const control = [...around.querySelectorAll(named('[data-keys]'))].find((element) =>
      own(element).keys.split(/\s+/).includes(held + shift + key) && element.getClientRects().length > 0 && isWithin(element));
    if (!control) return;
    event.preventDefault();
    wasAsked();
    control.click();
  });
}
