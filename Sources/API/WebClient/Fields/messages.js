// Messages at fields: from State, or from the service's refusal of an Input.

import { setAttribute } from '../Page/attribute.js';
import { dom } from '../Page/dom.js';
import { elementOf } from '../Page/elements.js';
import { fieldNamed, isField } from './values.js';

const messages = new WeakMap(); // by field: {state, refusal}
let count = 0;

/** Shows a refusal at the field of the member that the service names. */
export function showRefusal(element, input, { member, message }) {
  const field = member && (isField(element) ? element : fieldNamed(element, input.fields[member] ?? member));
  if (!field) return;
  complain(field, message);
  field.addEventListener('input', () => clearRefusal(field), { once: true });
}

/** Shows a sentence at a field, in place of State's message. */
export const complain = (field, sentence) => say(field, { refusal: sentence });

export function clearRefusal(element) {
  for (const field of dom(element).elements ?? [element]) if (messages.get(field)?.refusal) say(field, { refusal: '' });
}

/** Shows a field's message: that of a refusal, else that of State. */
export function say(field, change) {
  const message = { ...messages.get(field), ...change };
  messages.set(field, message);
  const text = message.refusal || message.state;
  let place = document.getElementById(field.getAttribute('aria-errormessage'));
  if (!place) {
    if (!text) return;
    place = elementOf('p', { id: `error-${++count}`, className: 'error', ariaLive: 'polite' });
    (field.closest('label') ?? field).after(place);
    field.setAttribute('aria-errormessage', place.id);
  }
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !text;
  setAttribute(field, 'aria-invalid', text && 'true' || null);
}
