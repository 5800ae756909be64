// Functions on elements for gestures. This module imports nothing from the client, and so works with any build of it.

const { prefix } = document.documentElement.dataset;

/** Returns the name of a client's attribute, with the page's prefix. */
export const named = (name) => `data-${prefix ? `${prefix}-` : ''}${name}`;

/** Returns a selector for the elements that react to an event. */
export const waitingFor = (name) => `[${named('on')}~=${name}]`;

export const fire = (element, name, detail) => element.dispatchEvent(new CustomEvent(name, { detail }));

export const shift = (element, [right, down]) => { element.style.translate = right || down ? `${right}px ${down}px` : ''; };

/** Moves an element back to its place. `translate` leaves `transform` to a list's animation. */
export function settle(element) {
  const { translate } = element.style;
  element.style.translate = '';
  if (!translate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  element.animate({ translate: [translate, 'none'] }, { duration: 200, easing: 'ease-out' });
}
