// Updates that follow a value, and touch the page only when it changes.

/** Returns an update: calls `show(node, value, before)` when the value changes, `showNothing(node)` until there is a State. */
export function watching(expression, node, scope, show, showNothing) {
  const needsState = expression.uses.some(({ up, path, local, of }) => !up && !local && !of && path[0] !== '$');
  let shown = watching; // equal to no value
  return () => {
    if (needsState && scope.session.state === null) return void (shown === watching && showNothing?.(node));
    const value = expression(scope, node);
    if (value === shown) return;
    const before = shown;
    show(node, shown = value, before);
  };
}
