// The chart: a step for each bid, the highest at the top.

import { behavior } from './uifusion.js';

behavior('chart', (svg, bids) => {
  const width = 100 / bids.length;
  const highest = bids.at(-1)?.amount;
  const points = bids.flatMap(({ amount }, index) => {
    const y = 38 - (36 * amount) / highest;
    return [`${index * width},${y}`, `${(index + 1) * width},${y}`];
  });
  svg.querySelector('polyline').setAttribute('points', points.join(' '));
});
