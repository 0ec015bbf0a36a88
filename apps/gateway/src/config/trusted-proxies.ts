import { isIP } from 'node:net';
import { EnvError, makeValidator } from 'envalid';

const networks = ['loopback', 'linklocal', 'uniquelocal'];

/** How many proxies stand in front of the gateway, or their addresses and networks; `false`: none. */
export const trustedProxies = makeValidator<number | string[] | false>((input) => {
  if (input === '') return false;
  if (/^\d$/.test(input)) return Number(input);
  const proxies = input.split(',').map((proxy) => proxy.trim());
  if (proxies.every((proxy) => networks.includes(proxy) || isNetwork(proxy))) return proxies;
  throw new EnvError(
    `must be a number of proxies or their addresses or networks (10.0.0.0/8, ${networks.join(', ')}), separated by commas`,
  );
});

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
