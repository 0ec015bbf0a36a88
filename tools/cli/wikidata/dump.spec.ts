import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { piecesOf } from '../import/pieces.fixture.js';
import { Dump } from './dump.js';

const lines = [
  '[',
  '{"id":"Q1"},',
  '{"type":"item","id":"Q2","claims":{"P8687":[]}},',
  '{"type":"property","id":"P8687","claims":{}},',
  '{"type":"item","id":"Q3","labels":"é","claims":{"P8687":[]}}',
  ']',
];
const text = Buffer.from(`${lines.join('\n')}\n`);

async function read(bytes: Buffer, places: readonly number[] = []): Promise<[string[], number]> {
  const dump = new Dump();
  const ids: string[] = [];
  for await (const { id } of dump.countedItems(piecesOf(bytes, places))) ids.push(id);
  return [ids, dump.items];
}

it('gives the items with counts once and counts all, wherever the pieces end, plain or gzip', async () => {
  const members = Buffer.concat([gzipSync(text.subarray(0, 50)), gzipSync(text.subarray(50))]);
  const forms = fc.constantFrom(text, text.subarray(0, -1), gzipSync(text), members);
  await fc.assert(
    fc.asyncProperty(forms, fc.array(fc.nat()), async (bytes, places) => {
      expect(await read(bytes, places)).toEqual([['Q2', 'Q3'], 4]);
    }),
  );
});

it.each([
  ['a table', Buffer.from('a,b\n'), 'not a JSON dump'],
  ['bzip2', Buffer.from('BZh91AY'), 'lbzip2'],
  ['a gzip that is cut off', gzipSync(text).subarray(0, -12), 'damaged or'],
  ['a text that is cut off', text.subarray(0, -3), 'its end is missing'],
  ['a line that is no JSON', Buffer.from('[\n{"id":"Q1","claims":{"P8687":\n]\n'), 'is not JSON'],
])('refuses %s', async (_what, bytes, reason) => {
  await expect(read(bytes)).rejects.toThrow(reason);
});

it('refuses a file without lines before it fills the memory', async () => {
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) yield await Promise.resolve(Buffer.alloc(1024 * 1024, '['));
  }
  await expect(new Dump().countedItems(endless()).next()).rejects.toThrow('its lines are too long');
});
