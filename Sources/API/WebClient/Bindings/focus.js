// The focus never falls to the body: when what has it goes, it moves to the nearest thing of its kind.

const hidden = [];

export function hide(element, isHidden) {
  // Noted before: a browser takes the focus away at once from what it hides.
  const control = document.activeElement;
  if (isHidden && !element.hidden && element.contains(control)) hidden.push([element, control]);
  element.hidden = isHidden;
}

/** Once all of them have been shown or hidden. */
export function mendFocus() {
  for (const [element, control] of hidden.splice(0)) if (element.hidden) leave(element, control);
}

/** `element` goes: what has the focus in it gives it to the same control further on, then before, or to one like it. */
export function leave(element, control = document.activeElement) {
  if (!element.contains(control)) return;
  const isTwin = ({ localName, name, dataset }) =>
    localName === control.localName && name === control.name && dataset.input === control.dataset.input;
  const near = ['nextElementSibling', 'previousElementSibling'].flatMap((side) => {
    const found = [];
    for (let other = element[side]; other; other = other[side]) found.push(other, ...other.querySelectorAll(control.localName));
    return found;
  });
  const around = element.parentElement;
  const isAlike = ({ localName }) => localName === control.localName;
  if (near.filter(isTwin).some(takesFocus) || near.filter(isAlike).some(takesFocus) || takesFocus(around)) return;
  around.tabIndex = -1;
  takesFocus(around);
}

function takesFocus(element) {
  element.focus({ preventScroll: true });
  return element === document.activeElement;
}
