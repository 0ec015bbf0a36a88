import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { decompressed, MarkedLines } from './dump.js';

const lines = [
  '[',
  '{"id":"Q1"},',
  '{"id":"Q2","claims":{"P8687":[]}},',
  '{"id":"Q3","P8687":"P8687 é"}',
  ']',
];
const text = Buffer.from(`${lines.join('\n')}\n`);

/** In pieces that end at these places. */
async function* pieces(bytes: Buffer, places: readonly number[]): AsyncGenerator<Buffer> {
  const ends = [...places.map((place) => place % bytes.length), bytes.length].sort((a, b) => a - b);
  let start = 0;
  for (const end of ends) {
    yield await Promise.resolve(bytes.subarray(start, end));
    start = end;
  }
}

async function read(bytes: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const piece of bytes) all.push(piece);
  return Buffer.concat(all).toString();
}

describe('decompressed', () => {
  const bzip2 = (input: Buffer): Buffer => spawnSync('bzip2', ['-c'], { input }).stdout;

  it.each([
    ['plain', text],
    ['gzip', gzipSync(text)],
    ['gzip of several members', Buffer.concat([gzipSync(text.subarray(0, 50)), gzipSync(text.subarray(50))])],
    ['bzip2', bzip2(text)],
    ['bzip2 of several streams', Buffer.concat([bzip2(text.subarray(0, 50)), bzip2(text.subarray(50))])],
  ])('reads %s', async (_format, bytes) => {
    expect(await read(decompressed(pieces(bytes, [10, 40])))).toBe(text.toString());
  });

  it.each([
    ['gzip', gzipSync(text)],
    ['bzip2', bzip2(text)],
  ])('explains that a %s dump is cut off', async (_format, bytes) => {
    await expect(read(decompressed(pieces(bytes.subarray(0, -12), [])))).rejects.toThrow('damaged or');
  });
});

describe('MarkedLines', () => {
  it('gives the marked lines once and counts all items, wherever the pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat()), fc.boolean(), async (places, withEnd) => {
        const marked = new MarkedLines(Buffer.from('P8687'));
        const given: string[] = [];
        for await (const line of marked.of(pieces(withEnd ? text : text.subarray(0, -1), places))) {
          given.push(line);
        }
        expect(given).toEqual([lines[2], lines[3]]);
        expect(marked.items).toBe(3);
      }),
    );
  });

  it('refuses a file without lines before it fills the memory', async () => {
    const marked = new MarkedLines(Buffer.from('P8687')).of(endless(Buffer.alloc(1024 * 1024, 'x')));
    await expect(marked.next()).rejects.toThrow('not a JSON dump of Wikidata');
  });
});

async function* endless(piece: Buffer): AsyncGenerator<Buffer> {
  for (;;) yield await Promise.resolve(piece);
}
