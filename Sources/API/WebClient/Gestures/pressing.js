// Recognizes a long press or a swipe between pointerdown and pointerup. It depends on no page and no clock.

/** The milliseconds after which a press is a long one. */
export const holding = 500;
const tremor = 10; // pixels that a long press may move
const reach = 40; // the least pixels of a swipe, which may be slow: its element follows, and goes back if it is taken back

/** Starts a press; `wanted` are the names of possible gestures. `hold` or `up` returns the recognized one, once. */
export function pressing(wanted, { x, y }) {
  let [isStill, isOver] = [true, false];

  function end(name) {
    if (isOver || !wanted.includes(name)) return undefined;
    isOver = true;
    return name;
  }

  const along = (way, back, forth) => (wanted.includes(way < 0 ? back : forth) ? way : 0);

  return {
    /** Returns the way moved so far in the wanted directions. */
    move(to) {
      const [right, down] = [to.x - x, to.y - y];
      if (Math.hypot(right, down) > tremor) isStill = false;
      return isStill || isOver ? [0, 0] : [along(right, 'swipeleft', 'swiperight'), along(down, 'swipeup', 'swipedown')];
    },
    hold: () => (isStill ? end('longpress') : undefined),
    up(to) {
      const [right, down] = [to.x - x, to.y - y];
      const [isLevel, length] = [Math.abs(right) > Math.abs(down), Math.max(Math.abs(right), Math.abs(down))];
      if (length < Math.max(reach, 2 * Math.min(Math.abs(right), Math.abs(down)))) return undefined;
      return end(isLevel ? (right < 0 ? 'swipeleft' : 'swiperight') : down < 0 ? 'swipeup' : 'swipedown');
    },
  };
}
