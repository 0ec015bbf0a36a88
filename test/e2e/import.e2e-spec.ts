import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { eventually } from '@app/testing';
import {
  admin,
  type CreatorRecord,
  daysFromNow,
  type ImportReport,
  succeeded,
} from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const pool = new KeyPool();
const { country } = catalog;

afterAll(() => catalog.remove());

/** A record of this suite; its slug is removed at the end. */
function record(name: string, changes: Partial<CreatorRecord> = {}): CreatorRecord {
  const made = catalog.record(name, changes);
  catalog.adopt(made.slug);
  return made;
}

const lineOf = (value: unknown) => JSON.stringify(value);

async function importLines(lines: readonly (string | Buffer)[]): Promise<ImportReport> {
  const body = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
  return succeeded(await admin.importLines(body));
}

async function totalOf(q: string): Promise<number> {
  return (await pool.search({ country, q })).total;
}

/** Imports a bad line between two good ones and gives the sentence about it. */
async function rejection(name: string, bad: string | Buffer): Promise<string> {
  const good = [record(`${name}-before`), record(`${name}-after`)].map(lineOf);
  const report = await importLines([good[0] ?? '', bad, good[1] ?? '']);
  expect(report).toMatchObject({ created: 2, updated: 0, unchanged: 0, rejected: 1 });
  expect(report.errors.map(({ line }) => line)).toEqual([2]);
  return report.errors[0]?.error ?? '';
}

describe('POST /creators/import', () => {
  it('reports created, then unchanged, then updated', async () => {
    const records = [record('one'), record('two'), record('three')];
    const lines = records.map(lineOf);
    const report = { received: 3, created: 0, updated: 0, unchanged: 0, rejected: 0, errors: [] };
    expect(await importLines(lines)).toEqual({ ...report, created: 3 });
    expect(await importLines(lines)).toEqual({ ...report, unchanged: 3 });
    const changed = lineOf({ ...records[1], tagline: 'now with a tagline' });
    expect(await importLines([lines[0] ?? '', changed, lines[2] ?? ''])).toEqual({
      ...report,
      updated: 1,
      unchanged: 2,
    });
  });

  it('is visible to searches within a second', async () => {
    await importLines([lineOf(record('visible', { name: 'Quickly visible' }))]);
    await eventually(async () => expect(await totalOf('quickly')).toBe(1), 1_000);
  });

  it('a record replaces the whole creator; the last import wins even when its dates are older', async () => {
    const first = record('replaced', {
      tagline: 'before',
      website: 'https://before.example/',
      platforms: [catalog.account({ updated_at: daysFromNow(-1) }), catalog.account({ platform: 'x' })],
    });
    const second = {
      ...catalog.record('replaced'),
      platforms: [catalog.account({ updated_at: daysFromNow(-90) })],
    };
    await importLines([lineOf(first)]);
    await importLines([lineOf(second)]);
    const { body } = await admin.call<CreatorRecord>('GET', `/creators/${first.slug}`);
    expect(body).toMatchObject({ tagline: '', platforms: [{ platform: 'youtube' }] });
    expect(body).not.toHaveProperty('website');
    expect(body.platforms).toHaveLength(1);
  });

  it('published: true for a new creator, unchanged for a known one unless given', async () => {
    const { slug } = record('flag');
    const published = async () =>
      (await admin.call<{ published: boolean }>('GET', `/creators/${slug}`)).body.published;
    await importLines([lineOf(catalog.record('flag'))]);
    expect(await published()).toBe(true);
    await importLines([lineOf(catalog.record('flag', { published: false }))]);
    expect(await published()).toBe(false);
    await importLines([lineOf(catalog.record('flag', { tagline: 'still hidden' }))]);
    expect(await published()).toBe(false);
    await importLines([lineOf(catalog.record('flag', { published: true }))]);
    expect(await published()).toBe(true);
  });

  it('accepts CRLF and a last line without a line break, and counts blank lines but skips them', async () => {
    const [one, two] = [lineOf(record('crlf-1')), lineOf(record('crlf-2'))];
    const report = succeeded(await admin.importLines(`${one}\r\n\r\n\n   \n{broken\n${two}`));
    expect(report).toMatchObject({ created: 2, rejected: 1 });
    expect(report.errors.map(({ line }) => line)).toEqual([5]);
  });

  it('accepts an empty file', async () => {
    expect(await importLines([])).toMatchObject({ received: 0, created: 0, rejected: 0, errors: [] });
  });
});

describe('a bad line is reported with its number and skips only itself', () => {
  it.each([
    ['no-json', 'this is not JSON'],
    ['cut-json', '{"slug": "cut-'],
    ['array', '[]'],
    ['number', '5'],
    ['null', 'null'],
    ['text', '"text"'],
  ])('not a JSON object: %s', async (name, bad) => {
    expect(await rejection(name, bad)).toMatch(/\S+ \S+/);
  });

  it('broken UTF-8', async () => {
    const [before = '', after = ''] = lineOf(catalog.record('utf8', { name: 'X*X' })).split('*');
    const bad = Buffer.concat([Buffer.from(before), Buffer.from([0xc3, 0x28]), Buffer.from(after)]);
    expect(await rejection('utf8', bad)).toMatch(/utf-?8/i);
  });

  it('a line of 10 MB', async () => {
    const bad = lineOf(catalog.record('huge', { tagline: 'x'.repeat(10_000_000) }));
    expect(await rejection('huge', bad)).toMatch(/long/i);
  });

  const account = catalog.account();
  it.each<[string, object, RegExp]>([
    ['no slug', { slug: undefined }, /slug/],
    ['a slug with capitals', { slug: 'Some-One' }, /slug/],
    ['a slug with two hyphens', { slug: 'some--one' }, /slug/],
    ['a slug of 101 characters', { slug: 'a'.repeat(101) }, /slug/],
    ['no name', { name: undefined }, /name/],
    ['a blank name', { name: ' ' }, /name/],
    ['a name that is a number', { name: 433 }, /name/],
    ['no country', { country: undefined }, /country/],
    ['languages that are not a list', { languages: 'English' }, /languages/],
    ['categories that are not a list', { categories: { 0: 'music' } }, /categories/],
    ['verified that is not a boolean', { verified: 'yes' }, /verified/],
    ['published that is not a boolean', { published: 1 }, /published/],
    ['a website that is not a URL', { website: 'not a url' }, /website/],
    ['a website that runs code', { website: 'javascript:alert(1)' }, /website/],
    ['no platforms', { platforms: undefined }, /platforms/],
    ['an unknown platform', { platforms: [{ ...account, platform: 'myspace' }] }, /platform/],
    ['a platform named like a prototype', { platforms: [{ ...account, platform: '__proto__' }] }, /platform/],
    ['a blank handle', { platforms: [{ ...account, handle: '' }] }, /handle/],
    ['negative followers', { platforms: [{ ...account, followers: -1 }] }, /followers/],
    ['half a follower', { platforms: [{ ...account, followers: 1.5 }] }, /followers/],
    ['followers as text', { platforms: [{ ...account, followers: '12' }] }, /followers/],
    ['followers beyond exact numbers', { platforms: [{ ...account, followers: 2 ** 53 }] }, /followers/],
    ['an invalid date', { platforms: [{ ...account, updated_at: 'yesterday' }] }, /updated_at/],
    [
      'a day that does not exist',
      { platforms: [{ ...account, updated_at: '2024-02-30T00:00:00Z' }] },
      /updated_at/,
    ],
    [
      'a date in the future',
      { platforms: [{ ...account, updated_at: daysFromNow(1) }] },
      /updated_at|future/,
    ],
  ])('%s', async (what, changes, sentence) => {
    const name = what.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const bad = lineOf({ ...catalog.record(`bad-${name}`), ...changes });
    expect(await rejection(name, bad)).toMatch(sentence);
  });

  it('a date a little ahead, as clocks differ, is fine', async () => {
    const ahead = record('ahead', { platforms: [catalog.account({ updated_at: daysFromNow(0, 120_000) })] });
    expect(await importLines([lineOf(ahead)])).toMatchObject({ created: 1, rejected: 0 });
  });

  it('of two lines with the same slug the first wins, and the later one is rejected', async () => {
    const first = record('twice', { name: 'The first' });
    const later = { ...first, name: 'The later' };
    const report = await importLines([lineOf(first), lineOf(record('between')), lineOf(later)]);
    expect(report).toMatchObject({ received: 3, created: 2, rejected: 1, errors: [{ line: 3 }] });
    const { body } = await admin.call<CreatorRecord>('GET', `/creators/${first.slug}`);
    expect(body.name).toBe('The first');
  });

  it('names the first 100 errors and counts them all', async () => {
    const report = await importLines(Array.from({ length: 130 }, () => 'bad'));
    expect(report).toMatchObject({ received: 130, rejected: 130 });
    expect(report.errors.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  });
});

describe('a file that is not NDJSON', () => {
  const object = record('other-format');
  const { slug } = object;
  const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);

  it.each<[string, Buffer, RegExp]>([
    ['a JSON array', bytesOf(lineOf([object])), /JSON array.*`jq -c '\.\[\]' file\.json`/],
    ['an array of lines', bytesOf(`[\n${lineOf(object)}\n]\n`), /JSON array/],
    ['pretty-printed JSON', bytesOf(JSON.stringify(object, null, 2)), /several lines.*`jq -c \. file\.json`/],
    ['CSV', bytesOf(`slug,name\n${slug},Ada\n`), /CSV/],
    ['gzip', gzipSync(lineOf(object)), /gzip.*`gunzip -c file\.gz`/],
    ['an Excel workbook', bytesOf('504b030414000600', 'hex'), /Excel/],
    ['UTF-16', bytesOf(`\uFEFF${lineOf(object)}\n`, 'utf16le'), /UTF-16.*`iconv -f UTF-16LE/],
    ['a picture', bytesOf('89504e470d0a1a0a0000000d', 'hex'), /binary/],
  ])('is refused in one sentence, and nothing of it is stored: %s', async (_name, body, sentence) => {
    const reply = await admin.importLines(body);
    expect(reply.status).toBe(400);
    const named = expect.stringMatching(sentence) as string;
    expect(reply.body).toEqual({ error: named, details: { body: [named] } });
    expect((await admin.call('GET', `/creators/${slug}`)).status).toBe(404);
  });

  it('a byte order mark before NDJSON is fine, also when it comes in two pieces', async () => {
    const bytes = bytesOf(`\uFEFF${lineOf(record('marked'))}\n${lineOf(record('beside-marked'))}\n`);
    const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 2), bytes.subarray(2)];
    const report = succeeded(await admin.importLines(Readable.from(pieces)));
    expect(report).toMatchObject({ received: 2, created: 2, rejected: 0 });
  });

  it('invalid first lines are reported like all others', async () => {
    const report = await importLines(['', '{"slug": "cut-', '[]', lineOf(record('after-bad-ones'))]);
    expect(report).toMatchObject({ received: 3, created: 1, rejected: 2 });
    expect(report.errors.map(({ line }) => line)).toEqual([2, 3]);
  });
});

describe('an import longer than one chunk', () => {
  it('keeps line numbers and finds duplicates across chunks, sent as a slow stream', async () => {
    const lines = Array.from({ length: 2_600 }, (_, at) =>
      lineOf({ ...catalog.record(`bulk-${at % 2_500}`) }),
    );
    lines[1_500] = 'broken';
    for (let at = 0; at < 2_500; at += 1) catalog.adopt(`${catalog.marker}-bulk-${at}`);
    const text = `${lines.join('\n')}\n`;
    const pieces = text.match(/[^]{1,70000}/gu) ?? [];
    const report = succeeded(await admin.importLines(Readable.from(pieces)));
    expect(report).toMatchObject({ received: 2_600, created: 2_499, rejected: 101 });
    expect(report.errors[0]?.line).toBe(1_501);
    expect(report.errors[1]?.line).toBe(2_501);
    expect(report.errors).toHaveLength(100);
  }, 60_000);
});
