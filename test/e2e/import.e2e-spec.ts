import { Readable } from 'node:stream';
import { eventually } from '#testing';
import { admin, type ImportReport, succeeded } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const pool = new KeyPool();
const { country } = catalog;

/** A record of this suite, which is removed at the end. */
function record(...given: Parameters<SuiteCatalog['record']>) {
  const made = catalog.record(...given);
  catalog.adopt(made.slug);
  return made;
}

const lineOf = (value: unknown) => JSON.stringify(value);

async function importLines(lines: readonly (string | Buffer)[]): Promise<ImportReport> {
  const body = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
  return succeeded(await admin.importLines(body));
}

describe('POST /creators/import', () => {
  it('reports created, then unchanged, then updated', async () => {
    const records = [record('one'), record('two'), record('three')];
    const lines = records.map(lineOf);
    const counts = { received: 3, created: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };
    const report = { ...counts, errors: [], reasons: [], unknown_names: [country], removed_lines: [] };
    expect(await importLines(lines)).toEqual({ ...report, created: 3 });
    expect(await importLines(lines)).toEqual({ ...report, unchanged: 3 });
    const changed = lineOf({ ...records[1], tagline: 'now with a tagline' });
    expect(await importLines([lines[0] ?? '', changed, lines[2] ?? ''])).toEqual({
      ...report,
      updated: 1,
      unchanged: 2,
    });
  });

  it('accepts CRLF, blank lines and a last line without a line break; visible to searches within a second', async () => {
    const [one, two] = [lineOf(record('crlf-1', { name: 'Quickly visible' })), lineOf(record('crlf-2'))];
    const report = succeeded(await admin.importLines(`${one}\r\n\r\n\n   \n{broken\n${two}`));
    expect(report).toMatchObject({ created: 2, rejected: 1 });
    expect(report.errors.map(({ line }) => line)).toEqual([5]);
    await eventually(async () => {
      expect((await pool.search({ country, q: 'quickly' })).total).toBe(1);
    }, 1_000);
  });

  it('keeps line numbers and finds duplicates across chunks, sent as a slow stream', async () => {
    const slugs = Array.from({ length: 2_500 }, (_, at) => `bulk-${at}`);
    const lines = [...slugs, ...slugs.slice(0, 100)].map((name) => lineOf(record(name)));
    lines[1_500] = 'broken';
    const pieces = `${lines.join('\n')}\n`.match(/[^]{1,70000}/gu) ?? [];
    const report = succeeded(await admin.importLines(Readable.from(pieces)));
    expect(report).toMatchObject({ received: 2_600, created: 2_499, rejected: 101 });
    expect(report.errors.slice(0, 2).map(({ line }) => line)).toEqual([1_501, 2_501]);
    expect(report.errors).toHaveLength(100);
  }, 60_000);
});

describe('a file that is not NDJSON', () => {
  it('does not include NDJSON after a byte order mark, also when the mark comes in two pieces', async () => {
    const bytes = Buffer.from(`\uFEFF${lineOf(record('marked'))}\n${lineOf(record('beside-marked'))}\n`);
    const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 2), bytes.subarray(2)];
    const report = succeeded(await admin.importLines(Readable.from(pieces)));
    expect(report).toMatchObject({ received: 2, created: 2, rejected: 0 });
  });
});
