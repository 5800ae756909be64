// Hides a popover when the focus leaves it, as it may cover the focused element.

import { dom } from './dom.js';

addEventListener('focusout', ({ target, relatedTarget }) => {
  const popover = relatedTarget && dom(target).closest?.('[popover]');
  if (popover && !popover.contains(relatedTarget)) popover.hidePopover();
});
