// What a finger or the mouse does between down and up: a long press, a swipe, or neither. It knows no page and no clock.

/** After so many milliseconds it is a long press. */
export const holding = 500;
const tremor = 10; // pixels that a long press may move
const reach = 40; // pixels that a swipe goes at least
const haste = 800; // milliseconds that it takes at most

/** `wanted` are the names of what may come of it: one, once, is answered by `hold`, or else by `up`. */
export function pressing(wanted, { x, y, time }) {
  let [isStill, isOver] = [true, false];

  function end(name) {
    if (isOver || !wanted.includes(name)) return undefined;
    isOver = true;
    return name;
  }

  const along = (way, back, forth) => (wanted.includes(way < 0 ? back : forth) ? way : 0);

  return {
    /** Answers how far that goes in a direction that is wanted. */
    move(to) {
      const [right, down] = [to.x - x, to.y - y];
      if (Math.hypot(right, down) > tremor) isStill = false;
      return isStill || isOver ? [0, 0] : [along(right, 'swipeleft', 'swiperight'), along(down, 'swipeup', 'swipedown')];
    },
    hold: () => (isStill ? end('longpress') : undefined),
    up(to) {
      const [right, down] = [to.x - x, to.y - y];
      const [isLevel, length] = [Math.abs(right) > Math.abs(down), Math.max(Math.abs(right), Math.abs(down))];
      if (to.time - time > haste || length < Math.max(reach, 2 * Math.min(Math.abs(right), Math.abs(down)))) return undefined;
      return end(isLevel ? (right < 0 ? 'swipeleft' : 'swiperight') : down < 0 ? 'swipeup' : 'swipedown');
    },
  };
}
