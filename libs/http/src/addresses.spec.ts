import fc from 'fast-check';
import { warnOfUnset } from './listening.js';
import { forwardedAddresses, parseAddress, networksOf } from './networks.js';

const port = fc.integer({ min: 0, max: 65_535 });

/** Ways to write one address, all of them the same client. */
const ipv4 = fc.ipV4().map((address) => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const hexadecimal = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16).toUpperCase()}`;
  const mapped = [`::ffff:${address}`, `::FFFF:${hexadecimal}`, `0:0:0:0:0:ffff:${address}`];
  return { address, written: [address, ...mapped] };
});
const ipv6 = fc
  .array(fc.integer({ min: 0, max: 65_535 }), { minLength: 8, maxLength: 8 })
  .filter((groups) => groups[5] !== 65_535)
  .map((groups) => {
    const address = groups.map((group) => group.toString(16)).join(':');
    const padded = groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
    const shortened = new URL(`http://[${address}]`).hostname.slice(1, -1);
    return { address, written: [address, padded, shortened, `${shortened}%eth0`] };
  });

it('reads every way of writing an address as the same one', () => {
  fc.assert(
    fc.property(fc.oneof(ipv4, ipv6), port, ({ address, written }, number) => {
      for (const text of written) {
        const inBrackets = `[${text}]`;
        const withPort = text.includes(':') ? [] : [`${text}:${number}`];
        for (const form of [text, ` ${text} `, inBrackets, `"${inBrackets}:${number}"`, ...withPort]) {
          expect(parseAddress(form)).toBe(address);
          expect(networksOf(form)).toEqual(networksOf(address));
        }
      }
    }),
  );
});

it.each(['', '_hidden', '192.0.2', '192.0.2.256', '127.1', '0x7f000001', '[::1', '1:2:3', '192.0.2.1:x'])(
  '%j is no address',
  (text) => expect(parseAddress(text)).toBeUndefined(),
);

it('reads any text without an error, in one form', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const address = parseAddress(text);
      if (address !== undefined) expect(parseAddress(address)).toBe(address);
    }),
  );
});

it.each([
  ['192.0.2.1:5001, [2001:db8::1]:443', '192.0.2.1, 2001:db8:0:0:0:0:0:1'],
  ['192.0.2.1, unknown, 192.0.2.2', '192.0.2.2'],
  ['192.0.2.1, 192.0.2.2, _x', ''],
  ['', ''],
  [`${'1'.repeat(600)},192.0.2.2`, '192.0.2.2'],
])('of %j are known: %j', (header, addresses) => {
  expect(forwardedAddresses(header)).toBe(addresses);
});

it('reads only the end of a long list, and no part of an address', () => {
  const addresses = forwardedAddresses('192.0.2.111, '.repeat(1_000) + '192.0.2.2');
  expect(addresses.length).toBeLessThanOrEqual(512);
  expect(new Set(addresses.split(', '))).toEqual(new Set(['192.0.2.111', '192.0.2.2']));
});

it('a start in production says which origins customers are not told, unless only this machine reaches it', () => {
  const logged: unknown[] = [];
  const logger = { warn: (fields: unknown) => void logged.push(fields) };
  const origins = { PUBLIC_URL: 'https://api.example', SITE_URL: undefined };
  const production = { NODE_ENV: 'production' };
  warnOfUnset(logger, {}, '0.0.0.0', origins);
  warnOfUnset(logger, production, '127.0.0.1', origins);
  warnOfUnset(logger, production, '0.0.0.0', origins);
  expect(logged).toEqual([{ missing: ['SITE_URL'] }]);
});
