import { parseAddress } from './addresses.js';

/**
 * The networks that a client of this address may hold, the smallest first: one IPv4 address; of IPv6 a /64, and the /56 and
 * the /48 around it, which providers give to a single customer. Each has a limit of its own, the larger ones a higher one.
 */
export function networksOf(address: string): readonly [string, ...string[]] {
  const parsed = parseAddress(address) ?? address;
  if (!parsed.includes(':')) return [parsed];
  const groups = parsed.split(':');
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
