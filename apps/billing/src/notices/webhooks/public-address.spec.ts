import fc from 'fast-check';
import { isPublicAddress } from './public-address.js';

it.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2001:0:7f00:1::',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '',
  'localhost',
  '2130706433',
  '0x7f.1',
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it('no form of a private IPv4 address inside an IPv6 one is public', () => {
  const octet = fc.nat({ max: 255 });
  fc.assert(
    fc.property(fc.constantFrom('10.0.0', '127.0.0', '192.168.0', '169.254.169'), octet, (network, last) => {
      const address = `${network}.${last}`;
      for (const prefix of ['::ffff:', '::', '64:ff9b::']) {
        expect(isPublicAddress(prefix + address)).toBe(false);
      }
    }),
  );
});
