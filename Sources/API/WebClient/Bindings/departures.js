// What is to be done once an element has left the page with its row, as a browser does not tell.

const actions = new WeakMap();

export function onDeparture(element, action) {
  actions.set(element, [...actions.get(element) ?? [], action]);
}

/** The element goes for good, and all in it. */
export function depart(element) {
  for (const gone of [element, ...element.querySelectorAll('*')]) {
    for (const action of actions.get(gone) ?? []) action();
  }
}
