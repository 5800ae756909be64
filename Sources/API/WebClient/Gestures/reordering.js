// A handle moves the row around it: the `li` or `tr`, else the handle's parent. The event has the new index.

import { fire, named, settle, shift, waitingFor } from './elements.js';
import { placeOf, room } from './placing.js';

const handles = waitingFor('reorder');
const goals = new WeakMap(); // the index to which a handle's Inputs take its row
const status = Object.assign(document.createElement('p'), { role: 'status' });
status.style.cssText = 'position: fixed; clip-path: inset(50%)';

function rowsOf(handle) {
  const row = handle.closest('li, tr') ?? handle.parentElement;
  const rows = [...row.parentElement.children].filter((other) => !other.inert && !other.hidden && other.querySelector(handles));
  return { row, rows, from: rows.indexOf(row) };
}

function reorder(handle, to) {
  goals.set(handle, to);
  fire(handle, 'reorder', to);
}

/** Starts to drag a row with the pointer; the returned functions continue. */
export function dragging(handle, begin) {
  const { row, rows, from } = rowsOf(handle);
  const boxes = rows.map((row) => {
    const { left, top, width, height } = row.getBoundingClientRect();
    return { left: left + scrollX, top: top + scrollY, width, height };
  });
  let to = from;
  row.setAttribute(named('dragging'), '');

  function end() {
    row.removeAttribute(named('dragging'));
    rows.forEach(settle);
  }

  return {
    move({ x, y }) {
      const way = [x - begin.x, y - begin.y];
      to = placeOf(boxes, from, way);
      rows.forEach((other, index) => shift(other, other === row ? way : room(boxes, from, to, index)));
    },
    up() {
      end();
      if (to !== from) reorder(handle, to);
    },
    cancel: end,
  };
}

/** Moves a row by an arrow key; returns 0 if the key is none. */
export function stepped(handle, key) {
  const { row, rows, from: shown } = rowsOf(handle);
  // A key that comes before the last one's answer goes on from where that takes the row.
  const from = handle.hasAttribute(named('pending')) ? goals.get(handle) ?? shown : shown;
  const back = getComputedStyle(row).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
  const step = key === 'ArrowUp' || key === back ? -1 : /^Arrow/.test(key) ? 1 : 0;
  const to = from + step;
  if (rows[to] && step) {
    document.body.append(status);
    const name = [handle.ariaLabel ?? handle.textContent, handle.ariaDescription].filter(Boolean).join(' ');
    status.textContent = `${name}: ${to + 1} / ${rows.length}`;
    reorder(handle, to);
  }
  return step;
}
