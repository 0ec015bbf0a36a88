import { encodingFor } from './compression.js';

it.each<[string | undefined, string | null]>([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['gzip, br', 'gzip'],
  ['br, gzip', 'br'],
  ['gzip;q=0.5, br', 'br'],
  ['gzip;q=0', null],
  ['gzip;q=0, br;q=0.1', 'br'],
  ['identity, gzip;q=0.5', null],
  ['deflate', null],
  ['*', 'gzip'],
  ['*;q=0', null],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['zstd, gzip', 'gzip'],
  ['gzip;q=nonsense', null],
  [', ,', null],
])('Accept-Encoding %j is answered with %j', (header, name) => {
  expect(encodingFor(header)?.name ?? null).toBe(name);
});
