// The elements that show a scope.

/** `{scope, updates}` of containers, rows, and elements that were bound later. */
export const hosts = new WeakMap();
