// Keys that click a control wherever the focus is.

import { isField } from '../Fields/values.js';
import { release } from '../More/dragged.js';
import { browserStorage } from '../Service/storage.js';
import { dom } from './dom.js';
import { named, own } from './prefix.js';
import { wasAsked } from './typing.js';

const kept = 'uifusion-keys';

export function listenToKeys() {
  // Single characters can be switched off, as speech input types them (WCAG 2.1.4).
  const box = document.querySelector(named('[data-keys-switch]'));
  if (box) box.checked = browserStorage.getItem(kept) !== 'off';
  box?.addEventListener('change', () => browserStorage.setItem(kept, box.checked ? 'on' : 'off'));

  addEventListener('keydown', (event) => {
    const { key, code, shiftKey, target } = event;
    if (key === 'Escape') release();
    if (event.defaultPrevented || event.repeat) return;
    const held = ['Control', 'Meta', 'Alt'].filter((modifier) => event.getModifierState(modifier)).map((modifier) => `${modifier}+`).join('');
    if (!held && key.length === 1 && box && !box.checked) return;
    const its = dom(target);
    if (!held && (its.isContentEditable || its.matches && isField(target))) return;
    // Enter and the space bar click the focused button.
    if ((key === 'Enter' || key === ' ') && its.closest?.('a, button, summary')) return;
    const shift = key.length > 1 && shiftKey ? 'Shift+' : '';
    const cased = (letter) => (shiftKey ? letter.toUpperCase() : letter.toLowerCase());
    const meant = [key.length === 1 && event.getModifierState('CapsLock') ? cased(key) : shift + key];
    // The key's place stands for a letter that the layout does not have.
    if (/^([^ -~]|Dead)$/u.test(key) && /^(Key|Digit).$/.test(code)) meant.push(cased(code.at(-1)));
    const around = its.closest?.('dialog:modal') ?? [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
    const isWithin = (element) => dom(element).closest(named('[data-keys-within]'))?.contains(target) ?? true;
    const shown = [...around.querySelectorAll(named('[data-keys]'))]
      .filter((element) => dom(element).getClientRects().length > 0 && isWithin(element));
    const control = meant.map((key) => shown.find((element) => own(element).keys.split(/\s+/).includes(held + key))).find(Boolean);
    if (!control) return;
    event.preventDefault();
    wasAsked();
    dom(control).click();
  });
}
