import * as fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { isDecisive, otherFormat, refuseOtherFormats, startBytesMax } from './body-format.js';

const records = [
  { slug: 'ada', name: 'Ada, of Norway', platforms: [{ platform: 'x', followers: 1 }] },
  { slug: 'bob', name: 'Bøb', platforms: [] },
];
const ndjson = records.map((record) => `${JSON.stringify(record)}\n`).join('');
const csv = 'slug,name,country\nada,"Ada, the first",Norway\nbob,Bob,Peru\n';
const zipped = Buffer.from('504b03041400060008000000210041376a', 'hex');
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const bigEndian = (text: string): Buffer => utf16(text).swap16();
const mark = '\uFEFF';

const others: readonly (readonly [string, string | Buffer, RegExp])[] = [
  ['a JSON array', JSON.stringify(records), /JSON array; .*`jq -c '\.\[\]' file\.json`\.$/],
  ['a JSON array with a line end', `${JSON.stringify(records)}\r\n\n`, /JSON array/],
  ['an empty JSON array', '[]', /JSON array/],
  ['an array with an object on each line', '[\n{"slug":"a"},\n{"slug":"b"}\n]', /JSON array/],
  ['one that starts beside its first object', '[{"slug":"a"},\n{"slug":"b"}]\n', /JSON array/],
  ['a pretty-printed array', JSON.stringify(records, null, 2), /JSON array/],
  ['an array longer than what is looked at', `[{"name":"${'x'.repeat(2 * startBytesMax)}"}]`, /JSON array/],
  ['an array after blank lines', `\n \r\n${JSON.stringify(records, null, 2)}`, /JSON array/],
  ['an array after a byte order mark', `${mark}${JSON.stringify(records)}`, /JSON array/],
  [
    'pretty-printed JSON',
    JSON.stringify(records[0], null, 2),
    /objects that span several lines; .*`jq -c \. file\.json`\.$/,
  ],
  ['pretty-printed JSON with tabs and CRLF', '{\r\n\t"a\\"b": 1\r\n}\r\n', /several lines/],
  [
    'objects pretty-printed one after the other',
    '{\n  "slug": "a"\n}\n{\n  "slug": "b"\n}\n',
    /several lines/,
  ],
  ['CSV', csv, /looks like CSV; .*creators import --help`\.$/],
  ['CSV of Excel', `${mark}${csv.replaceAll(',', ';').replaceAll('\n', '\r\n')}`, /CSV/],
  ['CSV in another character set', Buffer.from('slug,name\nbob,Bøb\n', 'latin1'), /CSV/],
  ['CSV with quoted and empty names', '"slug","full name",,\nada,Ada,1,2', /CSV/],
  ['tab-separated values', csv.replace(/".*?"/, 'Ada').replaceAll(',', '\t'), /CSV/],
  ['gzip', gzipSync(ndjson), /gzip; .*`gunzip -c file\.gz`\.$/],
  ['gzip of nothing', gzipSync(''), /gzip/],
  ['zstd', Buffer.from('28b52ffd2017b90000', 'hex'), /zstd; .*`zstd -dc file\.zst`\.$/],
  ['a ZIP archive', zipped, /Excel workbook \(XLSX\); .*help`\.$/],
  ['UTF-16, little end first', utf16(`${mark}${ndjson}`), /UTF-16; .*`iconv -f UTF-16LE -t UTF-8/],
  ['UTF-16, big end first', bigEndian(`${mark}${ndjson}`), /UTF-16; .*`iconv -f UTF-16BE -t UTF-8/],
  ['UTF-16 without a mark', utf16(ndjson), /UTF-16LE/],
  ['UTF-16 without a mark, big end first', bigEndian(`\n${ndjson}`), /UTF-16BE/],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /binary, not text/],
  ['zeros', Buffer.alloc(3 * startBytesMax), /binary/],
];

/** The bytes that were passed on, or the sentence. */
async function pass(pieces: readonly Buffer[]): Promise<Buffer | string> {
  const passed: Buffer[] = [];
  try {
    for await (const bytes of refuseOtherFormats(inTurn(pieces))) passed.push(bytes);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    expect(passed).toEqual([]);
    return error instanceof Error ? error.message : '';
  }
  return Buffer.concat(passed);
}

async function* inTurn(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((position) => position % (bytes.length + 1)), bytes.length];
  at.sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

describe('a file that is certainly not NDJSON', () => {
  it.each(others)('%s is named in one sentence, wherever the file is cut', async (_name, file, sentence) => {
    const bytes = Buffer.from(file);
    const told = await pass([bytes]);
    expect(told).toMatch(sentence);
    expect(told).toMatch(/^The file [^\n]+\.$/);
    for (let at = 0; at <= Math.min(bytes.length, 300); at += 1) {
      expect(await pass([bytes.subarray(0, at), bytes.subarray(at)])).toBe(told);
    }
    const first = bytes.subarray(0, 300);
    expect(await pass([...Array.from(first, (byte) => Buffer.of(byte)), bytes.subarray(300)])).toBe(told);
  });
});

describe('bad lines', () => {
  it.each<[string, string | Buffer]>([
    ['an empty file', ''],
    ['blank lines', '\n \r\n\t\n'],
    ['more blank lines than are inspected', '\n'.repeat(2 * startBytesMax) + ndjson],
    ['only a byte order mark', mark],
    ['text', 'this is not JSON\nnor this\n'],
    ['text with commas before a record', `slug, name\n${ndjson}`],
    ['one line of CSV', 'slug,name,country\n'],
    ['prose', 'Hello, world\nnothing else\n'],
    ['an array before a record', `[]\n${ndjson}`],
    ['an array of objects before a record', `[{"slug":"a"}]\n${ndjson}`],
    ['a time in brackets', '[2026-01-31] started\n[2026-02-01] stopped\n'],
    ['numbers', '1\n2\n'],
    ['a text with commas', '"a,b"\n"c,d"\n'],
    ['an object that is cut off', `{"slug": "cut-\n${ndjson}`],
    ['an object that is cut off at its start', `{\n${ndjson}`],
    ['only a brace', '{'],
    ['zeros before a record, as a log that was cut has them', `\0\0\0\0\n${ndjson}`],
    ['a record with a control character', '{"name":"\u0001"}\nbad\n'],
    ['a record in another character set', Buffer.from('{"name":"Bøb"}\n', 'latin1')],
    ['a line longer than what is inspected', `{"name":"${'x'.repeat(2 * startBytesMax)}"}\n`],
  ])('are left to be reported one by one: %s', async (_name, file) => {
    const bytes = Buffer.from(file);
    expect(await pass([bytes])).toEqual(bytes);
    const pieces = cut(bytes, [1, 2, 3, startBytesMax - 1, startBytesMax, startBytesMax + 1]);
    expect(await pass(pieces)).toEqual(bytes);
  });
});

describe('NDJSON', () => {
  const blank = fc.constantFrom('', ' ', '\t', '\r');
  const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 4 });
  const file = (line: fc.Arbitrary<unknown>, minLength: number) =>
    fc
      .record({
        start: fc.constantFrom('', mark),
        lines: fc.array(
          fc.oneof({ weight: 4, arbitrary: line.map((value) => JSON.stringify(value)) }, blank),
        ),
        required: fc.array(
          line.map((value) => JSON.stringify(value)),
          { minLength, maxLength: 4 },
        ),
        end: fc.constantFrom('\n', '\r\n'),
        last: fc.constantFrom('', '\n', '\r\n'),
      })
      .map(({ start, lines, required, end, last }) =>
        Buffer.from(start + [...lines, ...required].join(end) + last),
      );
  const cuts = fc.array(fc.nat(), { maxLength: 8 });

  it('is never refused and passes unchanged, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(file(object, 0), cuts, async (bytes, where) => {
        expect(await pass(cut(bytes, where))).toEqual(bytes);
      }),
    );
  });

  it('is not refused for lines that are not objects either', async () => {
    await fc.assert(
      fc.asyncProperty(file(fc.jsonValue(), 2), cuts, async (bytes, where) => {
        expect(await pass(cut(bytes, where))).toEqual(bytes);
      }),
    );
  });

  it('is passed on once its second line, or enough of the first, has arrived', async () => {
    const read = async (pieces: readonly string[]): Promise<number> => {
      let given = 0;
      const source = async function* (): AsyncGenerator<Buffer> {
        for (; given < pieces.length; given += 1) {
          yield await Promise.resolve(Buffer.from(pieces[given] ?? ''));
        }
      };
      await refuseOtherFormats(source()).next();
      return given + 1;
    };
    expect(await read(['{"a":1}\n', '\n', '{"b":2}', '\n', 'never read'])).toBe(4);
    const kilobyte = 'x'.repeat(1_024);
    expect(await read(Array.from({ length: 100 }, () => kilobyte))).toBe(startBytesMax / 1_024);
  });
});

describe('the decision', () => {
  it('stays the same with more of the file, once there was enough for it', () => {
    const text = fc.array(fc.constantFrom('{', '[', '"a":1', ',', 'b', '\n', '\n', ' ', '}', '\0'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, text, (start, rest) => {
        const bytes = Buffer.from(start.join(''));
        fc.pre(isDecisive(bytes));
        const whole = Buffer.concat([bytes, Buffer.from(rest.join(''))]);
        expect(otherFormat(whole, true)).toBe(otherFormat(bytes, false));
      }),
    );
  });
});
