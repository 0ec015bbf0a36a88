import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Readable } from 'node:stream';
import { type ImportReport } from '#contracts';
import { CliError, DamagedFileError } from '../errors.js';
import { type Assignments, parseMap, parseSet } from '../import/assignments.js';
import { importLines } from '../import/import-lines.js';
import { RejectedFile } from '../import/rejected-lines.js';
import { ImportProgress } from '../output/import-progress.js';
import { showReport } from '../output/import-report.js';
import { formatInteger } from '../output/format.js';
import { type CliIo, type Session } from '../session.js';
import { type CommandSpec, option } from './command.js';
import { importHelp } from './import-help.js';

interface Options {
  readonly map?: Assignments;
  readonly set?: Assignments;
  readonly dryRun?: boolean;
  readonly rejected?: string;
  readonly allowRejected?: boolean;
}

interface Source {
  readonly bytes: Readable;
  /** Unknown for standard input and pipes. */
  readonly size?: number;
}

export const importCommand: CommandSpec = {
  usage: 'import <file>',
  help: 'create and replace creators from NDJSON, CSV or TSV, one creator per line',
  options: [
    option('--map <pairs>', 'columns of a table: name=Title,youtube.followers=Subscribers', parseMap),
    option('--set <pair>', 'a value for every line of a table: country=Norway; can be repeated', parseSet),
    option('--dry-run', 'report what the import would change, and store nothing'),
    option('--rejected <file>', 'write the lines that fail to a file, to be corrected and imported'),
    option('--allow-rejected', 'exit with 0 even if lines are rejected'),
  ],
  more: importHelp,
  run: (session) => (file: string, options: Options) => importFile(session, file, options),
};

/** Imports a file and prints the report; fails if lines were rejected, unless that is allowed. */
export async function importFile(session: Session, file: string, options: Options): Promise<void> {
  const { bytes, size } = await open(session.io, file);
  try {
    const report = await upload(session, file, { bytes, size }, options);
    if (report.rejected > 0 && !options.allowRejected) throw rejectedLines(report, options.rejected);
  } finally {
    bytes.destroy();
  }
}

async function upload(
  session: Session,
  file: string,
  { bytes, size }: Source,
  { map, set, dryRun, rejected: rejectedName }: Options,
): Promise<ImportReport> {
  const { client, io } = session;
  const rejectedFile =
    rejectedName === undefined
      ? null
      : await RejectedFile.open(resolve(io.directory, rejectedName), resolve(io.directory, file));
  const progress = new ImportProgress(io.stderr, size);
  try {
    const source = progress.watchFile(bytes);
    const { format, lines, rejected } = await importLines(source, { map, set, rejectedFile });
    session.note(`Reading ${file === '-' ? 'standard input' : file}: ${format}.`);
    const query = { dry_run: dryRun ? 'true' : undefined };
    const reply = await client
      .upload<ImportReport>('/creators/import', progress.watchLines(lines), query)
      .catch((error: unknown) => {
        throw error instanceof DamagedFileError && !dryRun ? storedUntil(error) : error;
      });
    const report = rejected.addedTo(reply);
    progress.stop();
    session.print(report, (shown) => showReport(shown, progress.elapsedMs));
    return report;
  } finally {
    progress.stop();
    await rejectedFile?.close();
  }
}

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

function storedUntil({ message }: DamagedFileError): CliError {
  return new CliError(
    `${message} Lines before that may be stored; import the whole file when it is corrected.`,
  );
}

/** Fails the command so that scripts notice; the rest of the file is stored. */
function rejectedLines({ rejected, dry_run }: ImportReport, file?: string): CliError {
  const one = dry_run ? '1 line would be' : '1 line was';
  const many = `${formatInteger(rejected)} lines ${dry_run ? 'would be' : 'were'}`;
  const rest = dry_run ? 'nothing is stored' : 'everything else is stored';
  const where = file === undefined ? '' : `; ${file} has those that were found here`;
  return new CliError(
    `${rejected === 1 ? one : many} rejected; ${rest} (use --allow-rejected to accept that)${where}.`,
  );
}
