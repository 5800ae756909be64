// Drag and drop: with the mouse, or with a key or a finger that first picks up and then puts down.

import { dom } from '../Core/dom.js';
import { named, own } from '../Core/prefix.js';
import { valueAt } from '../Core/paths.js';
import { elementOf } from './elements.js';
import { expression } from '../Bindings/expressions.js';
import { inputExpression } from '../Bindings/inputs.js';
import { inputsOf } from '../Bindings/schemas.js';
import { checkInput } from './names.js';
import { nameOf } from './words.js';

const within = 'a, button, input, select, textarea, label, summary';
let dragged; // {element, value, session}

export const draggedValue = () => dragged?.value;

const isOwn = ({ target, currentTarget }) => target === currentTarget || !target.closest(within);
const isPressing = ({ key, target, currentTarget }) => target === currentTarget && (key === 'Enter' || key === ' ');

function pick(element, session, value, says) {
  release();
  dragged = { element, session, value };
  own(element).dragging = '';
  const places = document.querySelectorAll(named('[data-drop]:not([tabindex])'));
  for (const place of places) place.tabIndex = 0;
  const status = elementOf('p', { className: 'notice', role: 'status' });
  document.querySelector(named('[data-notices]'))?.append(status);
  if (says) setTimeout(() => { status.textContent = `${nameOf(element)} is picked up. Choose a place, or press Escape.`; }, 50);
  dragged.release = () => {
    status.remove();
    delete own(element).dragging;
    for (const place of places) place.removeAttribute('tabindex');
  };
}

export function release() {
  dragged?.release();
  dragged = undefined;
}

export function dragStep(element, plan) {
  const value = plan.read(element, 'data-drag', expression, true);
  return value && ((element, scope) => {
    const node = dom(element);
    const take = (says) => pick(element, scope.session, value(scope, element), says);
    node.draggable = true;
    if (node.tabIndex < 0) node.tabIndex = 0;
    node.addEventListener('dragstart', (event) => {
      event.dataTransfer.setData('text/plain', nameOf(element));
      take();
    });
    node.addEventListener('dragend', release);
    const toggle = (event) => {
      // A press on another element puts the dragged one down.
      if (dragged && dragged.element !== element && node.closest(named('[data-drop]'))) return;
      event.preventDefault();
      event.stopPropagation();
      if (dragged?.element === element) release();
      else take(true);
    };
    node.addEventListener('click', (event) => { if (isOwn(event)) toggle(event); });
    node.addEventListener('keydown', (event) => { if (isPressing(event) && !node.matches(within)) toggle(event); });
  });
}

export function dropStep(element, plan) {
  const input = plan.read(element, 'data-drop', inputExpression, true);
  return input && ((element, scope) => {
    const node = dom(element);
    const { session } = scope;
    const isWanted = () => dragged?.session === session && !dom(dragged.element).contains(element) && session.state !== null;
    const drop = (event) => {
      if (!isWanted()) return;
      event.preventDefault();
      event.stopPropagation();
      const sent = input(scope, element, valueAt(inputsOf(session), `${input.inputName}.properties`));
      const words = `${nameOf(dragged.element)} → ${nameOf(element)}`;
      dom(dragged.element).focus();
      release();
      session.send(sent, { words });
    };
    node.addEventListener('dragover', (event) => { if (isWanted()) event.preventDefault(); });
    node.addEventListener('drop', drop);
    node.addEventListener('click', (event) => { if (isOwn(event)) drop(event); });
    node.addEventListener('keydown', (event) => { if (isPressing(event)) drop(event); });
    return () => inputsOf(session) && checkInput(element, input, inputsOf(session), scope, 'data-drop');
  });
}
