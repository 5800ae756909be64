// The rows that stay in place when the order of a list changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staying } from '../../Sources/API/WebClient/Lists/moves.js';

/** Returns the moved rows, by their places in the old order. */
const moved = (places, fixed) => {
  const stays = staying(places, fixed);
  return places.filter((place, index) => place >= 0 && !stays[index]);
};

test('no row moves if the order is the same, whatever is added or removed', () => {
  assert.deepEqual(moved([0, 1, 2]), []);
  assert.deepEqual(moved([0, -1, 2, 5, -1]), []);
  assert.deepEqual(moved([]), []);
});

test('only the row with a new place moves', () => {
  assert.deepEqual(moved([1, 2, 3, 0]), [0]);
  assert.deepEqual(moved([3, 0, 1, 2]), [3]);
  assert.deepEqual(moved([0, 3, 1, 2, 4]), [3]);
});

test('swapping two rows takes two moves', () => assert.equal(moved([0, 3, 2, 1, 4]).length, 2));

test('reversing a list keeps one row in place', () => assert.equal(moved([4, 3, 2, 1, 0]).length, 4));

test('the row with the focus stays, and the others move around it', () => {
  assert.deepEqual(moved([3, 0, 1, 2], 0), [0, 1, 2]);
  assert.deepEqual(moved([1, 2, 3, 0], 3), [1, 2, 3]);
  assert.deepEqual(moved([2, 0, 1, 3], 1), [2]);
});

test('as few rows as possible move, in any order', () => {
  let seed = 1;
  const random = (below) => (seed = seed * 48271 % 2147483647) % below;
  for (let round = 0; round < 200; round++) {
    const places = [...Array(8).keys()].sort(() => random(3) - 1).slice(random(3));
    const stays = staying(places);
    const kept = places.filter((place, index) => stays[index]);
    assert.deepEqual(kept, [...kept].sort((one, other) => one - other));
    let longest = 0;
    for (let choice = 0; choice < 1 << places.length; choice++) {
      const chosen = places.filter((place, index) => choice >> index & 1);
      if (chosen.every((place, index) => !index || chosen[index - 1] < place)) longest = Math.max(longest, chosen.length);
    }
    assert.equal(kept.length, longest);
  }
});
