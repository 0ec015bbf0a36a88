import fc from 'fast-check';
import { etagOf, matchesEtag } from './etag.js';

const body = Buffer.from('{"countries":[]}');
const etag = etagOf(body);
const opaque = etag.slice(2);
/** As a proxy marks it. */
const marked = (mark: string): string => `${opaque.slice(0, -1)}${mark}"`;

describe('the tag of a body', () => {
  it('is a weak entity tag, the same for the same bytes', () => {
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(etagOf(Buffer.from(body))).toBe(etag);
    expect(etagOf(new Uint8Array(body))).toBe(etag);
  });
});

describe('If-None-Match', () => {
  it.each([
    etag,
    opaque,
    `"other", ${etag}`,
    `${etag},"other"`,
    `W/"other" ,\t${opaque} , W/"third"`,
    `, ,${etag},`,
    `"with, comma", ${opaque}`,
    `"", ${etag}`,
    `"caf\u00e9", ${etag}`,
    ` ${etag} `,
    `"other"${opaque}`,
    marked('-gzip'),
    marked('--gzip'),
    marked(';gzip'),
    marked('-br'),
    marked('-zstd'),
    marked('-deflate'),
    marked('-br-gzip'),
    `${opaque}-gzip`,
    `"other", W/${marked('-gzip')}, ${marked('x')}`,
  ])('matches %j', (header) => {
    expect(matchesEtag(header, etag)).toBe(true);
  });

  it.each([
    undefined,
    '',
    ' ',
    ',',
    '"other"',
    'W/"other", "third"',
    opaque.slice(1, -1),
    `W/${opaque.slice(1, -1)}`,
    `${opaque.slice(0, -2)}"`,
    `"${opaque.slice(2)}`,
    opaque.toLowerCase(),
    `"x${opaque.slice(1)}`,
    `'${opaque.slice(1, -1)}'`,
    `"*"`,
    '*',
    ' * ',
    '*, "other"',
    marked('x'),
    marked('-x'),
    marked('gzip'),
    marked('-gzipx'),
    marked('-gzip').slice(0, -1),
  ])('does not match %j', (header) => {
    expect(matchesEtag(header, etag)).toBe(false);
  });

  it('finds a tag in a list of any others, and none where it is not', () => {
    const character = fc.integer({ min: 0x23, max: 0xff }).filter((code) => code !== 0x7f);
    const other = fc
      .array(character, { maxLength: 30 })
      .map((codes) => `"${String.fromCharCode(...codes.filter((code) => code < 0x7f || code >= 0x80))}"`);
    const separator = fc.constantFrom(',', ', ', ' ,\t', ',,');
    const mark = fc.constantFrom('', '-gzip', '--gzip', ';gzip', '-br', '-zstd');
    fc.assert(
      fc.property(
        fc.array(other, { maxLength: 400 }),
        fc.nat(400),
        separator,
        mark,
        fc.boolean(),
        (others, at, by, added, isIn) => {
          const tags = isIn ? others.toSpliced(at, 0, marked(added)) : others;
          expect(matchesEtag(tags.join(by), etag)).toBe(isIn);
        },
      ),
    );
  });

  it('reads a header once, however it is made', () => {
    const header = 'W/"'.repeat(300_000) + `${opaque.slice(0, -1)}-gzip,`.repeat(30_000);
    const startedAt = performance.now();
    expect(matchesEtag(header, etag)).toBe(false);
    // Of what grows with the square of its length a million would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});
