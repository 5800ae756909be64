// The front page's button that kills the service while steps are on their way, where that is allowed: nothing is lost.

import { session } from './uifusion.js';

const crash = document.querySelector('#crash');
const outcome = document.querySelector('[aria-label="What came of it"]');
const tally = session('tally');
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

fetch('crash').then((answer) => answer.json()).then(({ isAllowed }) => { crash.hidden = !isAllowed; }, () => {});

crash.addEventListener('click', async () => {
  if (crash.ariaDisabled === 'true') return;
  crash.ariaDisabled = 'true';
  const before = tally.state.value;
  outcome.textContent = 'Sending 30 steps, and kill -9 after the tenth …';
  const steps = [];
  for (let step = 1; step <= 30; step += 1) {
    steps.push(tally.send('increase'));
    if (step === 10) fetch('crash', { method: 'POST' }).catch(() => {});
    await pause(30);
  }
  await Promise.all(steps);
  outcome.textContent = `The service was killed and started again. 30 steps were sent, ${tally.state.value - before} arrived.`;
  crash.ariaDisabled = null;
});
