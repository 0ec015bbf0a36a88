import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type ImportReport } from '#contracts';
import fc from 'fast-check';
import { parseMap } from './mapping.js';
import { importLines, type ImportOptions } from './import-lines.js';
import { piecesOf } from './pieces.fixture.js';
import { openRejectedFile } from './rejected-lines.js';
import { rowText } from './table.js';

const nothing: ImportReport = {
  received: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  removed: 0,
  rejected: 0,
  errors: [],
  reasons: [],
  unknown_names: [],
  removed_lines: [],
};
const directory = mkdtempSync(join(tmpdir(), 'import-lines-'));
const rejectedName = join(directory, 'rejected');
afterAll(() => rmSync(directory, { recursive: true }));

/** What is sent, the errors found before that, and the file of rejected lines. */
async function read(
  file: Buffer | string,
  cuts: readonly number[] = [],
  map: ImportOptions['map'] = undefined,
) {
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const rejectedFile = await openRejectedFile(rejectedName, '-');
  try {
    const { format, mode, lines, rejected } = await importLines(piecesOf(Buffer.from(file), cuts), {
      mode: 'replace',
      map,
      rejectedFile,
      note,
    });
    const sent: Buffer[] = [];
    for await (const bytes of lines) sent.push(bytes);
    const { errors } = rejected.addedTo(nothing);
    return {
      format,
      mode,
      notes,
      sent: Buffer.concat(sent).toString(),
      errors,
      rejected: readFileSync(rejectedName, 'utf8'),
    };
  } finally {
    await rejectedFile.close();
  }
}

/** The records, each with the number of its line. */
function numbered(sent: string): { line: number; record: unknown }[] {
  return sent
    .split('\n')
    .map((text, index) => ({ line: index + 1, text }))
    .filter(({ text }) => text !== '')
    .map(({ line, text }) => ({ line, record: JSON.parse(text) as unknown }));
}

const encodings = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with a mark': (text: string) => Buffer.from(`\uFEFF${text}`),
  'UTF-16LE': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16BE': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
} as const;

describe('a table', () => {
  const header = ['Title', 'About, "or; not"', 'Country', 'languages', 'Notes\nof us', 'categories'];
  const map = parseMap('name=Title,tagline="About, ""or; not"""');
  const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((made) => made.replace(/\p{Cc}/gu, ''));
  const texts = fc.array(fc.oneof(text, fc.constantFrom('\n', '\r\n', '"', ';', ',', '\t', ' ')), {
    maxLength: 6,
  });
  const longText = texts.map((parts) => parts.join(''));
  const row = fc.record({ word: text, tagline: longText, notes: longText, isBad: fc.boolean() });
  const form = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t'),
    encoding: fc.constantFrom(...Object.keys(encodings)) as fc.Arbitrary<keyof typeof encodings>,
    end: fc.constantFrom('\n', '\r\n'),
    lastHasEnd: fc.boolean(),
    isZipped: fc.boolean(),
  });

  it('becomes records on the lines of their rows, whatever its form and wherever it is cut; bad rows can be corrected', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 12 }),
        form,
        fc.array(fc.nat(), { maxLength: 6 }),
        async (rows, as, cuts) => {
          const table = rows.map(({ word, tagline, notes, isBad }, index) => ({
            name: `n${index} ${word}`,
            cells: [`n${index} ${word}`, tagline, isBad ? '' : 'Peru', 'Spanish|Quechua', notes, ''],
          }));
          const lines = [header, ...table.map(({ cells }) => cells)].map((cells) =>
            rowText(cells, as.delimiter).slice(0, -1),
          );
          const bytes = encodings[as.encoding](lines.join(as.end) + (as.lastHasEnd ? as.end : ''));
          const file = as.isZipped ? gzipSync(bytes) : bytes;
          const { sent, errors, rejected } = await read(file, cuts, map);

          const lineAt = (index: number) =>
            1 + lines.slice(0, index + 1).reduce((sum, line) => sum + line.split(/\r\n|\n/).length, 0);
          const expected = table.map(({ name, cells }, index) => ({
            line: lineAt(index),
            isBad: rows[index]?.isBad,
            record: expect.objectContaining({
              name: name.trim(),
              ...((cells[1] ?? '').trim() === '' ? {} : { tagline: cells[1]?.trim() }),
              languages: ['Spanish', 'Quechua'],
              categories: [],
              platforms: [],
            }) as unknown,
          }));
          const good = expected.filter(({ isBad }) => !isBad);
          expect(numbered(sent)).toEqual(good.map(({ line, record }) => ({ line, record })));
          const bad = expected.filter(({ isBad }) => isBad);
          expect(errors.map(({ line }) => line)).toEqual(bad.map(({ line }) => line));

          const corrected = rejected.replaceAll(
            `${as.delimiter}${as.delimiter}Spanish`,
            `${as.delimiter}Peru${as.delimiter}Spanish`,
          );
          if (bad.length === 0) expect(rejected).toBe('');
          else {
            const again = await read(corrected, [], map);
            expect(again.errors).toEqual([]);
            expect(numbered(again.sent).map(({ record }) => record)).toEqual(bad.map(({ record }) => record));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  const plain = 'name;country;languages;categories';

  it.each([
    [plain, 'UTF-8, a table with semicolons'],
    [`\n\n"a;b;c;d;e",${plain.replaceAll(';', ',')}`, 'UTF-8, a table with commas'],
    [plain.replaceAll(';', '\t'), 'UTF-8, a table with tabs'],
    [`sep=|\r\n${plain.replaceAll(';', '|')}`, 'UTF-8, a table with |'],
    ['{"a":1}', 'UTF-8, NDJSON'],
    ['', 'UTF-8, NDJSON'],
  ])('%j is found to be %s', async (text, format) => {
    expect(await read(text)).toMatchObject({ format, errors: [] });
  });

  it('that is not UTF-8 is read as Windows-1252, wherever it is cut, and that is noted', async () => {
    const file = Buffer.from(`${plain}\nB\u00f8b \u0080 \u00e9;Peru;;\nZo\u00e9;Peru;;caf\u00e9`, 'latin1');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 6 }), async (cuts) => {
        const { sent, notes } = await read(file, cuts);
        expect(numbered(sent)).toMatchObject([
          { line: 2, record: { name: 'Bøb € é' } },
          { line: 3, record: { name: 'Zoé', categories: ['café'] } },
        ]);
        expect(notes).toEqual([expect.stringMatching(/^The file is not UTF-8: reading it as Windows-1252/)]);
      }),
    );
  });

  it('rejects rows with other numbers of cells than its header, and replaces an error column', async () => {
    const table = `\uFEFFerror;${plain}\nold;A;Peru;;\nold;B;Peru\nold;C;Peru;;;x\n`;
    const { sent, errors, rejected } = await read(table);
    expect(numbered(sent)).toMatchObject([{ line: 2 }]);
    const [short, long] = [
      'the line has 3 cells, the header has 5',
      'the line has 6 cells, the header has 5',
    ];
    expect(errors).toEqual([
      { line: 3, error: short },
      { line: 4, error: long },
    ]);
    expect(rejected).toBe(`\uFEFF${plain};error\nB;Peru;;;${short}\nC;Peru;;;x;${long}\n`);
  });

  it.each<[string, string | Buffer, RegExp]>([
    [
      'with a header that is cut off',
      `"${plain}\nA;Peru;;`,
      /header line can't be read: a cell starts with a quote/,
    ],
    [
      'that is UTF-8 and then something else',
      Buffer.concat([Buffer.from(`${plain}\nBøb;Peru;;\n`), Buffer.from('Bøb', 'latin1')]),
      /not valid UTF-8\. Save it as UTF-8/,
    ],
    ['that is a broken workbook', 'PK\u0003\u0004 and no more', /workbook can't be read/],
    [
      'that is a large workbook',
      `PK\u0003\u0004${'x'.repeat(2 ** 22)}`,
      /larger than 4 MiB\. Save it as "CSV/,
    ],
    ['that is cut off', gzipSync(plain).subarray(0, -9), /gzip file is damaged or not complete/],
    ['with a damaged gzip', Buffer.concat([gzipSync(plain), Buffer.from('rest')]), /gzip file is damaged/],
  ])('%s is refused with the reason', async (_what, file, reason) => {
    await expect(read(file)).rejects.toThrow(reason);
  });
});

describe('NDJSON', () => {
  const record = { slug: 'ada', name: 'Ada', country: 'Peru', languages: [], categories: [], platforms: [] };
  const good = JSON.stringify(record);
  const other = JSON.stringify({ ...record, slug: 'bob' });
  const bad = [
    '{broken',
    '[]',
    JSON.stringify({ ...record, slug: 'A' }),
    JSON.stringify({ ...record, typo: 1 }),
  ];
  const broken = Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xc3, 0x28), Buffer.from('"}')]);

  it('passes unchanged, wherever it is cut; the lines that the service rejects are copied as they are', async () => {
    const at = (slug: string, minutes: number): string => {
      const updated_at = new Date(Date.now() + minutes * 60_000).toISOString();
      const platforms = [{ platform: 'x', handle: 'ada', followers: 1, updated_at }];
      return JSON.stringify({ ...record, slug, platforms });
    };
    const refused = Buffer.concat([
      Buffer.from(`${bad.join('\n')}\n${at('late', 10)}\n`),
      broken,
      Buffer.from('\n'),
    ]);
    const file = Buffer.concat([
      Buffer.from(`{"slug"\r\n${good}\n\n \r\n${at('soon', 1)}\n`),
      refused,
      Buffer.from(`${other}\n${bad[0]}`),
    ]);
    const copied = `{"slug"\r\n${refused.toString()}${bad[0]}\n`;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 8 }), async (cuts) => {
        const { sent, errors, rejected } = await read(file, cuts);
        expect([sent, errors, rejected]).toEqual([file.toString(), [], copied]);
      }),
    );
  });

  it('with a line that is too long for a record is damaged', async () => {
    const endless = Buffer.from(`${good}\n{"name":"${'x'.repeat(1_500_000)}`);
    await expect(read(endless)).rejects.toThrow('Line 2 is longer than 1 MiB.');
  });
});
