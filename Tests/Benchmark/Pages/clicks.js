// Measures the time from a click to the first frame that shows its whole result.
{
  let [awaited, clicked] = [];
  const shown = () => document.querySelector('tbody')?.rows ?? [];
  const idOf = (row) => Number(row?.cells[0].textContent);

  /** `holds` is code that reads the table, and `before`, its present ids. `seen` resolves to milliseconds. */
  window.expectAfterClick = (holds) => {
    const before = [...shown()].map(idOf);
    clicked = undefined;
    window.seen = new Promise((resolve, reject) => {
      awaited = { holds: new Function('rows', 'id', 'label', 'before', `return ${holds}`), before, resolve };
      setTimeout(reject, 60_000, new Error(`never seen: ${holds}`));
    });
    window.seen.catch(() => {});
    document.documentElement.append(probe);
    requestAnimationFrame(frame);
  };

  addEventListener('click', ({ timeStamp }) => { clicked ??= timeStamp; }, true);

  // A resize observer runs in each frame after layout: nothing changes then until the paint.
  const probe = document.createElement('div');
  probe.style = 'position: absolute; contain: strict; height: 1px';
  new ResizeObserver(look).observe(probe);

  function frame() {
    probe.style.width = probe.style.width === '1px' ? '2px' : '1px';
    if (awaited) requestAnimationFrame(frame);
  }

  function look() {
    if (!awaited || clicked === undefined) return;
    const [rows, { holds, before, resolve }] = [shown(), awaited];
    const label = (place) => rows[place]?.cells[1].textContent.trim() ?? '';
    if (!holds(rows, (place) => idOf(rows[place]), label, before)) return;
    awaited = undefined;
    scheduler.postTask(() => resolve(performance.now() - clicked), { priority: 'user-blocking' }); // after the paint
  }
}
