import { etagOf, matchesEtag } from './etag.js';

const body = Buffer.from('{"countries":[]}');
const etag = etagOf(body);
const opaque = etag.slice(2);
/** A tag as a proxy marks it. */
const marked = (mark: string): string => `${opaque.slice(0, -1)}${mark}"`;

it('the tag of a body is a weak one, the same for the same bytes', () => {
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(etagOf(new Uint8Array(body))).toBe(etag);
});

describe('If-None-Match', () => {
  it.each([
    etag,
    opaque,
    `W/"other" ,\t${opaque} , W/"third"`,
    `, ,${etag},`,
    `"with, comma", ${opaque}`,
    `"caf\u00e9", ${etag}`,
    marked('--gzip'),
    marked('-br-gzip'),
  ])('matches %j', (header) => {
    expect(matchesEtag(header, etag)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'W/"other", "third"',
    opaque.slice(1, -1),
    `"x${opaque.slice(1)}`,
    opaque.toLowerCase(),
    '*',
    marked('x'),
    marked('-gzipx'),
  ])('does not match %j', (header) => {
    expect(matchesEtag(header, etag)).toBe(false);
  });

  it('reads a header once, however it is made', () => {
    const header = 'W/"'.repeat(300_000) + `${opaque.slice(0, -1)}-gzip,`.repeat(30_000);
    const startedAt = performance.now();
    expect(matchesEtag(header, etag)).toBe(false);
    // Of what grows with the square of its length a million would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});
