// How long it takes from a click to the first frame that shows all that the click should lead to.
{
  let [awaited, clicked] = [];
  const shown = () => document.querySelector('tbody')?.rows ?? [];
  const idOf = (row) => Number(row?.cells[0].textContent);

  /** `holds` is code that reads the table, and `before`, the ids that it has now. `seen` resolves to milliseconds. */
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

  // What changes its size is observed in each frame once the page is laid out: nothing changes any more until it is painted.
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
    scheduler.postTask(() => resolve(performance.now() - clicked), { priority: 'user-blocking' }); // once it is painted
  }
}
