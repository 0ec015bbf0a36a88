import { encodingFor } from './compression.js';

it.each<[string | undefined, string | null]>([
  [undefined, null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['gzip, br', 'gzip'],
  ['br, gzip', 'br'],
  ['gzip;q=0.5, br', 'br'],
  ['gzip;q=0, br;q=0.1', 'br'],
  ['deflate', null],
  ['*', 'gzip'],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['gzip;q=nonsense', null],
  [', ,', null],
])('Accept-Encoding %j is answered with %j', (header, name) => {
  expect(encodingFor(header)?.name ?? null).toBe(name);
});
