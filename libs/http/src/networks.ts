import { isIP } from 'node:net';

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

/** `[2001:db8::1]:443`, `"[2001:db8::1]"`, `192.0.2.1:443`: an address with what proxies write around it. */
const decorated = /^"?(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?"?$/;

/**
 * An IP address in the one form in which it is compared: IPv4 in decimals, also where it was mapped to IPv6, and IPv6 in eight
 * groups. `undefined` for what is no address. Brackets, a port and the zone of the link are left out.
 */
export function parseAddress(written: string): string | undefined {
  const text = written.trim();
  const [, inBrackets, beforePort] = decorated.exec(text) ?? [];
  const [bare = ''] = (inBrackets ?? beforePort ?? text).split('%', 1);
  const version = isIP(bare);
  if (version !== 6) return version === 4 ? bare : undefined;
  const groups = groupsOf(bare);
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  if (!isMapped) return groups.map((group) => group.toString(16)).join(':');
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [before = [], after = []] = hexadecimal
    .split('::')
    .map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}

/** Longer than what any row of proxies adds. */
const forwardedMax = 512;

/**
 * The addresses at the end of an `X-Forwarded-For` header, where each proxy adds the one it knows. What is no address ends
 * them: then the client counts as the proxy that passed it on.
 */
export function forwardedAddresses(header: string): string {
  const items = header.slice(-forwardedMax).split(',');
  // The first of them may be the end of a longer one.
  if (header.length > forwardedMax) items.shift();
  const addresses = items.map(parseAddress);
  return addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ');
}
