// Which rows of a list may stay where they are when its order changes, so that few are moved.

/**
 * `places` has for each row, in the new order, where it was in the old one, -1 for a new one. Answers for each row
 * whether it stays: as many as can, and, if `fixed` is not -1, the one at that index in any case.
 */
export function staying(places, fixed = -1) {
  const ends = []; // the index of the row with the smallest place that ends a run of each length
  const before = [];
  for (const [index, place] of places.entries()) {
    if (place < 0 || fixed >= 0 && index !== fixed && index < fixed !== place < places[fixed]) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[ends[middle]] < place) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1];
    ends[low] = index;
  }
  const stays = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) stays[index] = true;
  return stays;
}
