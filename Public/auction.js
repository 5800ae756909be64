// The chart, with a step for each bid, and the seconds that are left.

import { behavior } from './uifusion.js';

behavior('chart', (svg, bids) => {
  const { length } = bids ?? [];
  const points = (bids ?? []).flatMap(({ amount }, index) => {
    const y = 38 - (36 * amount) / bids[length - 1].amount;
    return [`${(index * 100) / length},${y}`, `${((index + 1) * 100) / length},${y}`];
  });
  svg.querySelector('polyline').setAttribute('points', points.join(' '));
});

behavior('countdown', (element, closes) => {
  clearInterval(element.timer);
  const show = () => { element.textContent = `${Math.max(0, Math.round((Date.parse(closes) - Date.now()) / 1000))} s left`; };
  if (closes) {
    show();
    element.timer = setInterval(show, 1000);
  }
  return () => clearInterval(element.timer);
});
