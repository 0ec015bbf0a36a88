/* Times in the time zone of the reader; the title keeps them in UTC. */
{
  const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
  for (const element of document.querySelectorAll('time[data-local]')) {
    const at = new Date(element.getAttribute('datetime') ?? '');
    const isThisYear = at.getFullYear() === new Date().getFullYear();
    const day = isThisYear ? dayOfYear.format(at) : date.format(at);
    element.textContent =
      element.getAttribute('data-local') === 'date' ? date.format(at) : `${day}, ${time.format(at)}`;
  }
}
