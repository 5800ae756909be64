// The right half of the page, written like UIKit with Combine: observe State, set views, send Inputs.

import { session } from './uifusion.js';

const counter = session('counter');
const view = document.querySelector('#view');
const label = view.querySelector('output');
const buttons = view.querySelectorAll('button');
const { decrease, increase } = Object.fromEntries([...buttons].map((button) => [button.name, button]));

counter.observe('value', (value) => {
  label.textContent = String(value).replace('-', '−');
});

counter.observe('loadingState', (loading) => {
  decrease.ariaBusy = loading === 'decreasing';
  increase.ariaBusy = loading === 'increasing';
});

for (const button of buttons) {
  button.addEventListener('click', () => {
    if (button.ariaBusy !== 'true') counter.send(button.name);
  });
}
