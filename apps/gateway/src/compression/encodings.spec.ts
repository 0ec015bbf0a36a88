import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { encodingFor } from './encodings.js';
import { zstdCompress } from './zstd.js';

const best = zstdCompress === undefined ? 'gzip' : 'zstd';

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
  ['*', best],
  ['*;q=0', null],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['zstd, gzip', best],
  ['gzip;q=nonsense', null],
  [', ,', null],
])('Accept-Encoding %j is answered with %j', (header, name) => {
  expect(encodingFor(header)?.name ?? null).toBe(name);
});

it('what is compressed can be read', () => {
  const text = Buffer.from('{"creators":[]}'.repeat(500));
  expect(gunzipSync(encodingFor('gzip')?.compress(text) ?? '')).toEqual(text);
  expect(brotliDecompressSync(encodingFor('br')?.compress(text) ?? '')).toEqual(text);
});
