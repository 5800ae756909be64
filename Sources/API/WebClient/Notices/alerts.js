// Alerts, and the place on the page where they stand.

import { elementOf } from '../Page/elements.js';
import { named, own } from '../Page/prefix.js';

/** Returns the container's place for notices, the page's, or a new one at the page's end. */
export function placeOfNotices(container = document) {
  const selector = named('[data-notices]');
  let place = container.querySelector(selector) ?? document.querySelector(selector);
  if (!place) {
    document.body.append(place = elementOf('section', { ariaLabel: 'Notices' }));
    own(place).notices = '';
  }
  return place;
}

/** Returns an alert with a button. */
export function alertOf(sentence, inputs, action, act) {
  // The first ten leave the button in sight.
  const lines = inputs.slice(0, 10).map((text) => elementOf('li', {}, text.length > 200 ? `${text.slice(0, 200)}…` : text));
  if (inputs.length > 10) lines.push(elementOf('li', {}, `and ${inputs.length - 10} more`));
  const words = elementOf('div', {}, elementOf('p', {}, sentence), ...lines.length ? [elementOf('ul', {}, ...lines)] : []);
  const button = elementOf('button', { type: 'button', className: 'small', onclick: act }, action);
  return elementOf('div', { className: 'notice', role: 'alert' }, words, button);
}
