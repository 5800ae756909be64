// The gestures that presses become, and the places of dragged rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf, room } from '../../Sources/API/WebClient/Gestures/placing.js';
import { pressing } from '../../Sources/API/WebClient/Gestures/pressing.js';

const all = ['longpress', 'swipeleft', 'swiperight', 'swipeup', 'swipedown'];

/** A press at 100, 100 that goes to a point, and ends there. */
function swiped(x, y, wanted = all) {
  const press = pressing(wanted, { x: 100, y: 100 });
  press.move({ x: (100 + x) / 2, y: (100 + y) / 2 });
  return press.up({ x, y });
}

test('a swipe is long, and in one direction', () => {
  assert.equal(swiped(50, 105), 'swipeleft');
  assert.equal(swiped(160, 80), 'swiperight');
  assert.equal(swiped(95, 20), 'swipeup');
  assert.equal(swiped(100, 140), 'swipedown');
  assert.equal(swiped(61, 100), undefined);
  assert.equal(swiped(40, 140), undefined);
  assert.equal(swiped(20, 100, ['swiperight', 'longpress']), undefined);
});

test('a swipe that is taken back is none', () => {
  const press = pressing(all, { x: 0, y: 0 });
  assert.deepEqual(press.move({ x: -90, y: 0 }), [-90, 0]);
  assert.equal(press.up({ x: -30, y: 0 }), undefined);
});

test('a long press moves at most by a tremor', () => {
  const press = pressing(all, { x: 0, y: 0 });
  assert.deepEqual(press.move({ x: 6, y: 6 }), [0, 0]);
  assert.equal(press.hold(), 'longpress');
  const moved = pressing(all, { x: 0, y: 0 });
  moved.move({ x: 0, y: 11 });
  moved.move({ x: 0, y: 0 });
  assert.equal(moved.hold(), undefined);
  assert.equal(pressing(['swipeup'], { x: 0, y: 0 }).hold(), undefined);
});

test('one press is one gesture', () => {
  const press = pressing(all, { x: 0, y: 0 });
  assert.equal(press.hold(), 'longpress');
  assert.equal(press.hold(), undefined);
  assert.deepEqual(press.move({ x: 90, y: 0 }), [0, 0]);
  assert.equal(press.up({ x: 90, y: 0 }), undefined);
});

test('the pressed element follows only in the wanted directions', () => {
  const press = pressing(['swipeleft', 'swipedown'], { x: 0, y: 0 });
  assert.deepEqual(press.move({ x: -30, y: 5 }), [-30, 5]);
  assert.deepEqual(press.move({ x: 30, y: -5 }), [0, 0]);
});

const column = [0, 50, 100, 150].map((top) => ({ left: 0, top, width: 300, height: 50 }));
const grid = [[0, 0], [100, 0], [0, 80], [100, 80]].map(([left, top]) => ({ left, top, width: 100, height: 80 }));

test('a dragged row goes to the place that is nearest to its middle', () => {
  assert.deepEqual([-70, -20, 0, 24, 26, 500].map((way) => placeOf(column, 1, [0, way])), [0, 1, 1, 1, 2, 3]);
  assert.equal(placeOf(grid, 0, [80, 90]), 3);
  assert.equal(placeOf(grid, 3, [0, -70]), 1);
});

test('only the rows between the old and the new place make room', () => {
  const tops = (from, to) => column.map((box, index) => (index === from ? 0 : room(column, from, to, index)[1]));
  assert.deepEqual(tops(0, 2), [0, -50, -50, 0]);
  assert.deepEqual(tops(3, 1), [0, 50, 50, 0]);
  assert.deepEqual(tops(2, 2), [0, 0, 0, 0]);
  assert.deepEqual(room(grid, 0, 2, 2), [100, -80]);
});
