import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Readable } from 'node:stream';
import { type ImportReport } from '@app/contracts';
import { CliError } from '../errors.js';
import { ImportProgress } from '../output/import-progress.js';
import { formatCount, formatInteger, formatSeconds } from '../output/format.js';
import { fields } from '../output/table.js';
import { type CliIo } from '../session.js';
import { type CommandSpec, option } from './command.js';

const errorsShownMax = 10;

interface Source {
  readonly bytes: Readable;
  /** Unknown for standard input and pipes. */
  readonly size?: number;
}

const importHelp = `
Each line is one record:
  {"slug": "ada-example", "name": "Ada Example", "country": "Norway", "languages": ["Norwegian"],
   "categories": ["fitness"], "platforms": [{"platform": "youtube", "handle": "@ada", "followers": 1200,
   "updated_at": "2026-01-31T12:00:00Z"}]}
(on one line). Optional: tagline, verified, website, published, and the url of a platform. A record replaces the whole
creator with its slug. Invalid lines are rejected, the others are stored, and the exit code is then 1. Importing a file
twice changes nothing. A file that is not NDJSON (a JSON array, CSV, gzip ...) is refused before any of it is stored.

Examples:
  $ npm run cli -- creators import creators.ndjson
  $ gunzip -c creators.ndjson.gz | npm run cli -- creators import -
  $ jq -c '.[]' creators.json | npm run cli -- creators import -
`;

export const importCommand: CommandSpec = {
  usage: 'import <file>',
  help: 'create and replace creators from NDJSON, one record per line',
  options: [option('--allow-rejected', 'exit with 0 even if lines are rejected')],
  more: importHelp,
  run:
    (session) =>
    async (file: string, { allowRejected }: { allowRejected?: boolean }) => {
      const { client, io } = session;
      const { bytes, size } = await open(io, file);
      const progress = new ImportProgress(io.stderr, size);
      let report: ImportReport;
      try {
        report = await client.upload<ImportReport>('/creators/import', progress.watch(bytes));
      } finally {
        progress.stop();
        bytes.destroy();
      }
      session.print(report, (shown) => showReport(shown, progress.elapsedMs));
      if (report.rejected > 0 && !allowRejected) throw rejectedLines(report);
    },
};

/** Opens a file of the user, or standard input. */
export async function open(io: CliIo, file: string): Promise<Source> {
  if (file === '-') return { bytes: io.stdin };
  const name = resolve(io.directory, file);
  try {
    const found = await stat(name);
    if (found.isDirectory()) throw new Error('it is a directory. Import its files one by one');
    const bytes = createReadStream(name, { highWaterMark: 256 * 1024 });
    await once(bytes, 'ready');
    return { bytes, ...(found.isFile() ? { size: found.size } : {}) };
  } catch (error) {
    throw new CliError(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Fails the command so that scripts notice; the rest of the file is stored. */
export function rejectedLines({ rejected }: ImportReport): CliError {
  const count = rejected === 1 ? '1 line was' : `${formatInteger(rejected)} lines were`;
  return new CliError(`${count} rejected; everything else is stored (use --allow-rejected to accept that).`);
}

/** The counts of the report, and its first errors. */
export function showReport(report: ImportReport, elapsedMs: number): string {
  const perSecond = Math.round(report.received / (Math.max(elapsedMs, 1) / 1_000));
  const counts = (['created', 'updated', 'unchanged', 'rejected'] as const).map(
    (name) => [`  ${name}`, formatInteger(report[name])] as const,
  );
  const head = `${formatCount(report.received, 'line')} in ${formatSeconds(elapsedMs)} (${formatInteger(perSecond)} lines/s)`;
  return `${head}\n${fields(counts)}${showErrors(report)}`;
}

function showErrors({ errors, rejected }: ImportReport): string {
  if (errors.length === 0) return '';
  const shown = errors.slice(0, errorsShownMax);
  const lines = shown.map(({ line, error }) => `  line ${formatInteger(line)}: ${error}`);
  const rest = rejected - shown.length;
  const more = rest > 0 ? [`  and ${formatInteger(rest)} more (--json lists the first 100)`] : [];
  return `\n\nRejected:\n${[...lines, ...more].join('\n')}`;
}
