import { once } from 'node:events';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import {
  type CreatorRecord,
  furthestEastMs,
  type ImportReport,
  importChunkLinesMax,
  importErrorsMax,
} from '#contracts';
import { CliError } from '../errors.js';
import { formatBytes, formatCount, formatInteger, formatSeconds } from '../output/format.js';
import { showReport } from '../output/import-report.js';
import { fields } from '../output/table.js';
import { type CliIo, type Session } from '../session.js';
import { Conversion, type ConversionReport } from '../wikidata/conversion.js';
import { type Reason } from '../wikidata/record.js';
import { readTables } from '../wikidata/tables.js';
import { type CommandSpec, option } from './command.js';
import { open, rejectedLines } from './import-creators.js';

interface Options {
  readonly tables?: string;
  readonly print?: boolean;
  readonly allowRejected?: boolean;
}

const progressMs = 10_000;

const reasonTexts: Readonly<Record<Reason, string>> = {
  kind: 'of a class that kinds.json does not list',
  account: 'without an account on the five platforms',
  count: 'without a count that names an account and its day',
  name: 'without a name in Latin letters',
  country: 'without a country of countries.json',
};

const wikidataHelp = `
DUMP is a JSON dump from https://dumps.wikimedia.org/wikidatawiki/entities/ (CC0), plain, gzip or bzip2, by its content;
bzip2 needs the program lbzip2 or bzip2. Taken are people and channels whose followers Wikidata counts. Run it again with a
newer dump: the slugs stay the same. Line numbers of rejected records are those of --print. See docs/operations/daily-work.md.

Examples:
  $ npm run cli -- creators import-wikidata latest-all.json.gz
  $ npm run --silent cli -- creators import-wikidata latest-all.json.gz --print > creators.ndjson
  $ curl -s https://dumps.wikimedia.org/wikidatawiki/entities/latest-all.json.gz | npm run cli -- creators import-wikidata -
`;

export const importWikidataCommand: CommandSpec = {
  usage: 'import-wikidata <dump>',
  help: 'create and replace creators from a JSON dump of Wikidata',
  options: [
    option('--tables <dir>', 'directory with your own kinds, countries, languages or categories.json'),
    option('--print', 'print the records as NDJSON instead of importing them'),
    option('--allow-rejected', 'exit with 0 even if records are rejected'),
  ],
  more: wikidataHelp,
  run: (session) => async (dump: string, given: Options) => {
    const { io } = session;
    const own = given.tables === undefined ? undefined : resolve(io.directory, given.tables);
    const conversion = new Conversion(
      await readTables(io.wikidataTables, own),
      new Date(Date.now() + furthestEastMs).toISOString().slice(0, 10),
    );
    const startedAt = performance.now();
    const { bytes } = await open(io, dump);
    const progress = setInterval(() => session.note(progressText(conversion.report, startedAt)), progressMs);
    let imported: ImportReport | null;
    try {
      const records = conversion.records(bytes as AsyncIterable<Buffer>);
      imported = given.print ? await printAll(io, records) : await importAll(session, records);
    } finally {
      clearInterval(progress);
      bytes.destroy();
    }
    const elapsedMs = performance.now() - startedAt;
    const { report } = conversion;
    if (report.items === 0) {
      throw new CliError(`${dump} is not a JSON dump of Wikidata: no line of it is an item.`);
    }
    if (imported === null) return session.note(showConversion(report, elapsedMs));
    session.print({ wikidata: report, import: imported }, (shown) =>
      [showConversion(shown.wikidata, elapsedMs), showReport(shown.import, elapsedMs)].join('\n\n'),
    );
    if (imported.rejected > 0 && !given.allowRejected) throw rejectedLines(imported);
  },
};

async function printAll({ stdout }: CliIo, records: AsyncIterable<CreatorRecord>): Promise<null> {
  for await (const record of records) {
    if (!stdout.write(lineOf(record))) await once(stdout, 'drain');
  }
  return null;
}

/**
 * Imports the records in batches, each an upload of its own: a dump may have no creator for minutes, and the admin API
 * ends an upload that is silent for so long.
 */
async function importAll({ client }: Session, records: AsyncIterable<CreatorRecord>): Promise<ImportReport> {
  let total: ImportReport = { received: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, errors: [] };
  for await (const lines of batches(records)) {
    const report = await client.upload<ImportReport>(
      '/creators/import',
      Readable.from([Buffer.from(lines.join(''))]),
      { source: 'Wikidata' },
    );
    total = sum(total, report);
  }
  return total;
}

async function* batches(records: AsyncIterable<CreatorRecord>): AsyncGenerator<string[]> {
  let lines: string[] = [];
  for await (const record of records) {
    lines.push(lineOf(record));
    if (lines.length < importChunkLinesMax) continue;
    yield lines;
    lines = [];
  }
  if (lines.length > 0) yield lines;
}

function lineOf(record: CreatorRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Lines of the second report are numbered on from the first. */
function sum(first: ImportReport, second: ImportReport): ImportReport {
  const onward = <Line extends { readonly line: number }>(
    known: readonly Line[] = [],
    more: readonly Line[] = [],
  ) =>
    [...known, ...more.map((each) => ({ ...each, line: first.received + each.line }))].slice(
      0,
      importErrorsMax,
    );
  return {
    received: first.received + second.received,
    created: first.created + second.created,
    updated: first.updated + second.updated,
    unchanged: first.unchanged + second.unchanged,
    removed: (first.removed ?? 0) + (second.removed ?? 0),
    rejected: first.rejected + second.rejected,
    errors: onward(first.errors, second.errors),
    removed_lines: onward(first.removed_lines, second.removed_lines),
  };
}

function showConversion({ items, taken, leftOut }: ConversionReport, elapsedMs: number): string {
  const memory = formatBytes(process.resourceUsage().maxRSS * 1024);
  const head = `${formatCount(items, 'item')} in ${formatSeconds(elapsedMs)} (${perSecond(items, elapsedMs)}, at most ${memory} of memory)`;
  const counted = taken + Object.values(leftOut).reduce((total, count) => total + count, 0);
  const rows = (Object.keys(reasonTexts) as Reason[]).map(
    (reason) => [`  left out ${reasonTexts[reason]}`, formatInteger(leftOut[reason])] as const,
  );
  return `${head}\n${fields([
    ['  without follower counts', formatInteger(items - counted)],
    ...rows,
    ['  creators', formatInteger(taken)],
  ])}`;
}

function progressText({ items, taken }: ConversionReport, startedAt: number): string {
  const elapsedMs = performance.now() - startedAt;
  return `${formatCount(items, 'item')}  ${formatCount(taken, 'creator')}  ${perSecond(items, elapsedMs)}`;
}

function perSecond(items: number, elapsedMs: number): string {
  return `${formatInteger(Math.round(items / (Math.max(elapsedMs, 1) / 1_000)))} items/s`;
}
