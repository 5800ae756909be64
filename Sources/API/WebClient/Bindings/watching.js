// What follows a value, and is touched only when it changes.

/** A step: `show(node, value, before)` when the value is another; until there is a State that it needs, `showNothing(node)`. */
export const watching = (expression, show, showNothing) => (node, scope) => {
  const needsState = expression.uses.some(({ up, path, local, of }) => !up && !local && !of && path[0] !== '$');
  let shown = watching; // what no value is
  return () => {
    if (needsState && scope.session.state === null) return void (shown === watching && showNothing?.(node));
    const value = expression(scope, node);
    if (value === shown) return;
    const before = shown;
    show(node, shown = value, before);
  };
};
