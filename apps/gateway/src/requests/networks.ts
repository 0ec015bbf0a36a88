/**
 * The networks that a client of this address may hold, the smallest first: one IPv4 address; of IPv6 a /64, and the /56 and
 * the /48 around it, which providers give to a single customer. Each has a limit of its own, the larger ones a higher one.
 */
export function networksOf(address: string): readonly [string, ...string[]] {
  if (!isIpv6(address)) return [address];
  const groups = groupsOf(address);
  const site = groups.slice(0, 3).join(':');
  const upperByte = Number.parseInt(groups[3] ?? '0', 16) >> 8;
  return [groups.slice(0, 4).join(':'), `${site}:${upperByte.toString(16)}/56`, `${site}/48`];
}

/** The smallest of them: for IPv6 its /64, because its holder has the whole network. */
export function networkOf(address: string): string {
  return networksOf(address)[0];
}

/** The largest of them: what one customer of a provider may hold altogether. */
export function siteOf(address: string): string {
  return networksOf(address).at(-1) ?? address;
}

/** Not an IPv4 address, nor one that is written as IPv6 (`::ffff:192.0.2.1`). */
function isIpv6(address: string): boolean {
  return address.includes(':') && !address.includes('.');
}

/** The groups as they are written, with the zeros that `::` leaves out. */
function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':');
  const after = address.includes('::') ? tail.split(':').filter((group) => group !== '') : [];
  const zeros = Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return [...groups, ...zeros, ...after];
}
