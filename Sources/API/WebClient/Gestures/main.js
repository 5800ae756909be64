// `/uifusion-gestures.js`, for pages that load it: events for `data-on` besides the browser's own. Each gesture of a finger or
// the mouse also has a key, for the focused element.

import { tell, watch } from './appearing.js';
import { fire, named, settle, shift, waitingFor } from './elements.js';
import { holding, pressing } from './pressing.js';
import { dragging, stepped } from './reordering.js';

const keys = {
  longpress: 'Shift+Enter', swipeleft: 'ArrowLeft', swiperight: 'ArrowRight', swipeup: 'ArrowUp', swipedown: 'ArrowDown',
};
const names = Object.keys(keys);
const fields = 'input, select, textarea, [contenteditable]';
let press; // the gesture between pointerdown and pointerup
let isSpent = false; // whether the press was a gesture: the click that follows does not count

const point = ({ pageX, pageY }) => ({ x: pageX, y: pageY });

function begin(target, start) {
  const places = new Map(names.map((name) => [name, target.closest(waitingFor(name))]).filter(([, place]) => place));
  if (!places.size) return undefined;
  const recognizer = pressing([...places.keys()], start);
  const swiped = names.slice(1).map((name) => places.get(name)).find(Boolean);
  const take = (name) => {
    if (!name) return;
    isSpent = true;
    fire(places.get(name), name);
  };
  const hold = () => take(recognizer.hold());
  const timer = setTimeout(hold, holding);
  const cancel = () => {
    clearTimeout(timer);
    if (swiped) settle(swiped);
  };
  return {
    hold,
    cancel,
    move(to) {
      const way = recognizer.move(to);
      if (swiped) shift(swiped, way);
    },
    up(to) {
      cancel();
      take(recognizer.up(to));
    },
  };
}

function end(how, event) {
  const ending = press;
  press = undefined;
  ending?.[how]?.(event && point(event));
}

addEventListener('pointerdown', (event) => {
  const { target, isPrimary, button } = event;
  end('cancel');
  isSpent = false;
  if (!isPrimary || button !== 0 || target.closest(`${fields}, [aria-disabled=true]`)) return;
  const handle = target.closest(waitingFor('reorder'));
  press = handle ? dragging(handle, point(event)) : begin(target, point(event));
}, true);
addEventListener('pointermove', (event) => event.isPrimary && press?.move(point(event)), true);
addEventListener('pointerup', (event) => event.isPrimary && end('up', event), true);
addEventListener('pointercancel', () => end('cancel'), true);
addEventListener('dragstart', (event) => { if (press && event.target.getAttribute?.('draggable') !== 'true') event.preventDefault(); }, true);
addEventListener('click', (event) => {
  if (!isSpent || event.detail === 0) return;
  isSpent = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// The right mouse button, the key for it, and a long touch.
addEventListener('contextmenu', (event) => {
  const place = event.target.closest?.(waitingFor('longpress'));
  if (!place || event.target.closest(fields)) return;
  event.preventDefault();
  if (press?.hold) press.hold();
  else if (!isSpent) fire(place, 'longpress');
});

addEventListener('keydown', (event) => {
  const { key, target } = event;
  isSpent = false;
  if (key === 'Escape') end('cancel');
  if (event.repeat || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || !target.matches || target.ariaDisabled === 'true') return;
  const pressed = event.shiftKey ? `Shift+${key}` : key;
  const name = names.find((name) => keys[name] === pressed && target.matches(waitingFor(name)));
  if (name) fire(target, name);
  else if (event.shiftKey || !target.matches(waitingFor('reorder')) || !stepped(target, key)) return;
  event.preventDefault();
});

const prepared = new WeakSet();

function prepare(element) {
  if (prepared.has(element) || !element.matches(`[${named('on')}]`)) return;
  prepared.add(element);
  watch(element);
  const its = element.getAttribute(named('on')).split(/\s+/);
  const isHandle = its.includes('reorder');
  const used = names.filter((name) => its.includes(name)).map((name) => keys[name]).concat(isHandle ? ['ArrowUp', 'ArrowDown'] : []);
  if (!used.length) return;
  if (element.tabIndex < 0) element.tabIndex = 0;
  if (!element.hasAttribute('aria-keyshortcuts')) element.setAttribute('aria-keyshortcuts', used.join(' '));
  // Leaves scrolling across the swipe to the browser, and keeps a long press from selecting text.
  const [isLevel, isUpright] = [/swipe(left|right)/, /swipe(up|down)/].map((swipes) => swipes.test(its));
  const touchAction = isHandle || isLevel && isUpright ? 'none' : isLevel ? 'pan-y' : isUpright ? 'pan-x' : '';
  Object.assign(element.style, { touchAction, userSelect: 'none', webkitUserSelect: 'none', webkitTouchCallout: 'none' });
}

function prepareAll(root) {
  for (const element of [root, ...root.querySelectorAll(`[${named('on')}]`)]) prepare(element);
}

prepareAll(document.documentElement);
new MutationObserver((records) => {
  for (const { type, target, addedNodes } of records) {
    if (type === 'attributes') tell(target);
    for (const node of addedNodes) if (node.localName) prepareAll(node);
  }
}).observe(document.documentElement, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-disabled'] });
