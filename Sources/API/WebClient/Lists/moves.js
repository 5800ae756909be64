// Finds the rows of a list that stay where they are when the order changes, so that few are moved.

/**
 * `places` has, in the new order, each row's index in the old order, -1 for a new row. Returns for each row whether it stays:
 * as many as possible, and the row at the index `fixed` in any case, unless that is -1.
 */
export function staying(places, fixed = -1) {
  const ends = []; // for each length of a run: the index of the row with the smallest place that ends one
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
