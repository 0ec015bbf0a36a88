/* The figures of the bar under the pointer, or chosen with the arrow keys. */
for (const chart of document.querySelectorAll('[data-chart]')) {
  const bars = [...chart.querySelectorAll('.bar')];
  const detail = chart.querySelector('.chart-detail');
  let chosen = -1;
  const choose = (/** @type {number} */ index) => {
    bars[chosen]?.classList.remove('chosen');
    chosen = index;
    bars[chosen]?.classList.add('chosen');
    if (detail !== null) detail.textContent = bars[chosen]?.getAttribute('data-detail') ?? '';
  };
  for (const [index, bar] of bars.entries()) {
    bar.addEventListener('pointerenter', () => choose(index));
    bar.querySelector('title')?.remove();
  }
  chart.addEventListener('pointerleave', () => choose(-1));
  chart.addEventListener('blur', () => choose(-1));
  chart.addEventListener('keydown', (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    const last = bars.length - 1;
    const next = {
      ArrowRight: Math.min(last, chosen + 1),
      ArrowLeft: Math.max(0, chosen - 1),
      Home: 0,
      End: last,
    }[key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  });
}
