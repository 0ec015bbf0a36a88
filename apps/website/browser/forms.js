/* What makes forms pleasant; all of them work without it. */
{
  // A button that was pressed is not pressed again while the answer is awaited.
  addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement) || target.method !== 'post') return;
    // Only after the browser has read its name and value.
    setTimeout(() => {
      for (const button of target.querySelectorAll('button')) button.disabled = true;
    });
  });
  // Going back shows the page as it was left.
  addEventListener('pageshow', () => {
    for (const button of document.querySelectorAll('form[method=post] button:disabled')) {
      button.removeAttribute('disabled');
    }
  });

  // A link to a question opens it over the page.
  addEventListener('click', (event) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const opener = target.closest('[data-opens]');
    const dialog = document.getElementById(opener?.getAttribute('data-opens') ?? '');
    if (dialog instanceof HTMLDialogElement) {
      event.preventDefault();
      dialog.showModal();
    }
    const open = target.closest('dialog[open]');
    if (open instanceof HTMLDialogElement && (target === open || target.closest('dialog a'))) {
      event.preventDefault();
      open.close();
    }
    // A menu closes when something else is clicked.
    for (const menu of document.querySelectorAll('details[data-closes][open]')) {
      if (!menu.contains(target)) menu.removeAttribute('open');
    }
  });

  // A choice that needs no button.
  addEventListener('change', ({ target }) => {
    if (target instanceof HTMLElement && target.hasAttribute('data-submits')) {
      target.closest('form')?.requestSubmit();
    }
  });

  // What was just done is not said again when the page is loaded again.
  const address = new URL(location.href);
  if (address.searchParams.has('done')) {
    address.searchParams.delete('done');
    history.replaceState(null, '', address);
  }
}
