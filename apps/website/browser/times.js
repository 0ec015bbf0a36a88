/* Times in the time zone of the reader; the title keeps them in UTC. */
for (const element of document.querySelectorAll('time[data-local]')) {
  const kind = element.getAttribute('data-local');
  const timeStyle = kind === 'date' ? undefined : kind === 'exact' ? 'medium' : 'short';
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle });
  element.textContent = format.format(new Date(element.getAttribute('datetime') ?? ''));
}
