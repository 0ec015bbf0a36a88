/* What was just done is not said again when the page is loaded again. */
{
  const address = new URL(location.href);
  if (address.searchParams.has('done')) {
    address.searchParams.delete('done');
    history.replaceState(null, '', address);
  }
}
