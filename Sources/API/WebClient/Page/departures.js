// Actions for when an element leaves the page with its row; browsers have no event for that.

import { dom } from './dom.js';

const actions = new WeakMap();

export function onDeparture(element, action) {
  actions.set(element, [...actions.get(element) ?? [], action]);
}

/** Runs the actions of an element, and of all within it, as it leaves for good. */
export function depart(element) {
  for (const gone of [element, ...dom(element).querySelectorAll('*')]) {
    for (const action of actions.get(gone) ?? []) action();
  }
}
