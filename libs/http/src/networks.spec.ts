import { networksOf } from './networks.js';

it.each([
  ['2001:db8:1:ab12::7', ['2001:db8:1:ab12', '2001:db8:1:ab/56', '2001:db8:1/48']],
  ['2001:db8:1:12::7', ['2001:db8:1:12', '2001:db8:1:0/56', '2001:db8:1/48']],
  ['2001:db8::7', ['2001:db8:0:0', '2001:db8:0:0/56', '2001:db8:0/48']],
  ['10.0.0.1', ['10.0.0.1']],
  ['::ffff:10.0.0.1', ['10.0.0.1']],
  ['what is no address', ['what is no address']],
])('%s belongs to %j', (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
});
