/* Copying, and a question before a key that was not copied is lost. */
{
  const secrets = document.querySelectorAll('[data-secret] code');
  let mustAsk = secrets.length > 0;
  for (const button of document.querySelectorAll('button[data-copies]')) {
    button.removeAttribute('hidden');
    const label = button.textContent;
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.getAttribute('data-copies') ?? '');
      if (source === null) return;
      try {
        await navigator.clipboard.writeText(source.textContent ?? '');
        button.textContent = 'Copied';
        mustAsk = false;
      } catch {
        // Without the permission it is selected instead, ready for the keyboard.
        window.getSelection()?.selectAllChildren(source);
        button.textContent = 'Selected';
      }
      setTimeout(() => (button.textContent = label), 2_000);
    });
  }
  // A page that the browser keeps for its back button does not show a key a second time.
  addEventListener('pagehide', () => {
    for (const secret of secrets) secret.textContent = '';
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && secrets.length > 0) location.reload();
  });
  document.addEventListener('copy', () => (mustAsk = false));
  addEventListener('beforeunload', (event) => {
    if (mustAsk) event.preventDefault();
    mustAsk = false;
  });
}
