// How elements go from the page: at once, until the second module looks after the focus and what the user types.

import { dom } from './dom.js';

export const focusing = {
  toggle(element, isHidden) {
    const its = dom(element);
    its.toggleAttribute('hidden', isHidden);
    // In SVG and MathML the attribute means nothing.
    if (!(element instanceof HTMLElement)) its.style.display = isHidden ? 'none' : '';
  },
  hide: (element, isHidden) => focusing.toggle(element, isHidden),
  /** Moves the focus off hidden elements, once all elements have been shown or hidden. */
  mend() {},
  /** Moves the focus off an element that goes. */
  leave() {},
};
