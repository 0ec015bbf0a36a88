import { gzipSync } from 'node:zlib';
import { refuseOtherFormats } from './ndjson-body.js';

const records = [{ slug: 'ada', name: 'Ada, of Norway' }, { slug: 'bob' }];
const ndjson = records.map((record) => `${JSON.stringify(record)}\n`).join('');
const mark = '\uFEFF';

/** What was passed on, or the sentence. */
async function pass(file: string | Buffer): Promise<Buffer | string> {
  const passed: Buffer[] = [];
  const source = async function* (): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from(file));
    yield Buffer.from('more\n');
  };
  try {
    for await (const bytes of refuseOtherFormats(source())) passed.push(bytes);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    expect(passed).toEqual([]);
    return error instanceof Error ? error.message : '';
  }
  return Buffer.concat(passed);
}

it.each<[string, string | Buffer, RegExp]>([
  ['a JSON array', JSON.stringify(records), /JSON array; .*`jq -c '\.\[\]' file\.json`\.$/],
  ['a pretty-printed array', mark + JSON.stringify(records, null, 2), /JSON array/],
  [
    'pretty-printed JSON',
    `\n${JSON.stringify(records[0], null, 2)}`,
    /several lines; .*`jq -c \. file\.json`/,
  ],
  ['CSV', 'slug,name\nada,"Ada, the first"\n', /looks like CSV; .*creators import --help`\.$/],
  ['CSV of Excel', `${mark}slug;name\r\nada;Ada\r\n`, /CSV/],
  ['gzip', gzipSync(ndjson), /gzip; .*`gunzip -c file\.gz`\.$/],
  ['a workbook', Buffer.from('504b0304140006', 'hex'), /Excel workbook/],
  ['UTF-16', Buffer.from(mark + ndjson, 'utf16le'), /UTF-16; .*`iconv -f UTF-16 -t UTF-8/],
])('%s is refused in one sentence, before anything of it is passed on', async (_name, file, sentence) => {
  expect(await pass(file)).toMatch(sentence);
});

it.each([
  ['NDJSON', ndjson],
  ['NDJSON after a byte order mark', mark + ndjson],
  ['blank lines before a record', `\n \r\n${ndjson}`],
  ['an object that is cut off', `{"slug": "cut-\n${ndjson}`],
  ['a line of an array that is no record', `[1]\n${ndjson}`],
  ['text', 'this is not JSON\n'],
  ['nothing', ''],
])('%s is passed on, to be read line by line', async (_name, file) => {
  expect(String(await pass(file))).toBe(`${file}more\n`);
});
