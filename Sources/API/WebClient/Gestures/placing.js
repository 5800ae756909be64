// The place of a row that is dragged among others, in a column, a line, or a grid.

const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

/** Returns the index of the box whose middle is nearest to the moved middle of the box at `from`. */
export function placeOf(boxes, from, [right, down]) {
  const [x, y] = middle(boxes[from]);
  const distances = boxes.map(middle).map(([left, top]) => Math.hypot(left - x - right, top - y - down));
  return distances.indexOf(Math.min(...distances));
}

/** Returns how far the box at an index moves to make room for the box that goes from `from` to `to`. */
export function room(boxes, from, to, index) {
  const step = from < index && index <= to ? -1 : to <= index && index < from ? 1 : 0;
  return [boxes[index + step].left - boxes[index].left, boxes[index + step].top - boxes[index].top];
}
