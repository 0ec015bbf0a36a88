import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type Readable } from 'node:stream';
import { type ImportReport } from '#contracts';
import { CliError, DamagedFileError, messageOf } from '../errors.js';
import { type MappingOptions, parseMap, parsePair, parsePlatform } from '../import/mapping.js';
import { importLines } from '../import/import-lines.js';
import { openRejectedFile } from '../import/rejected-lines.js';
import { ImportProgress, showReport } from '../output/import-report.js';
import { formatInteger } from '../output/format.js';
import { type CliIo, type Session } from '../session.js';
import { command, option } from './command.js';

interface Options extends MappingOptions {
  readonly file: string;
  /** The name that the service keeps. Default: that of the file. */
  readonly file_name?: string;
  readonly null?: readonly string[];
  readonly merge?: true;
  readonly replace?: true;
  readonly move_accounts?: true;
  readonly source?: string;
  readonly dry_run?: true;
  readonly rejected?: string;
  readonly accept_rejected?: true;
}

const importHelp = `
The format is found by the content: NDJSON, a table with a header line and commas, semicolons or tabs (or a first line such as
"sep=|"), or an Excel workbook (.xlsx, up to 4 MiB, its first sheet); in UTF-8, Windows-1252, or UTF-16 with a byte order mark;
compressed with gzip or not. Lines that fail are rejected with their number and the reason, the others are stored, and the exit
code is then 1. Importing a file twice changes nothing. docs/importing.md has examples from a list of links to a spreadsheet.

--replace (default for NDJSON): a record is the whole creator. --merge (default for tables): accounts are added or updated, and
what the file does not have stays: a column with handles is enough for creators who are known. A creator is known by the slug, else by any account; without either a record is a new one. An
account that another creator has is refused, unless --move-accounts moves it.

NDJSON has one record per line:
  {"slug": "ada-example", "name": "Ada Example", "country": "Norway", "languages": ["Norwegian"],
   "categories": ["fitness"], "platforms": [{"platform": "youtube", "handle": "@ada", "followers": 1200,
   "updated_at": "2026-01-31T12:00:00Z"}]}
(on one line). Optional: slug, tagline, verified, website, published, and the url of a platform.

The columns of a table are found by the names of the fields, and by --map: name, country, languages, categories, slug, tagline,
verified, website, published; of each platform youtube.handle (or a link), youtube.followers, youtube.updated_at and youtube.url.
An account without a handle is left out. With --platform youtube the columns handle, followers, updated_at and url are those of YouTube.
Lists have | or ; or commas between their items. Counts: 1200, 1,200, 1.2M, 3,4K. Times: 2026-01-31T12:00:00Z, or 2026-01-31.
docs/importing.md has the rest: several platforms, columns with one name, empty cells.
--rejected writes the failing rows with an added column "error": correct them, and import that file with the same options.

Examples:
  $ npm run cli -- creators import creators.ndjson
  $ npm run cli -- creators import list.csv --dry-run --map 'name=Title,youtube.handle=Channel' --set country=Norway
  $ npm run cli -- creators import list.csv.gz --rejected failed.csv --map 'name="Name, full",country=Land'
  $ npm run cli -- creators import list.xlsx --platform instagram --map 'categories=Topic 1,categories=Topic 2'
  $ jq -c '.[]' creators.json | npm run cli -- creators import -
`;

const several = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

export const importCommand = command(
  'import <file>',
  'create, replace and complete creators from NDJSON, CSV, TSV or XLSX, one creator per line',
  {
    options: [
      option('--map <pairs>', 'columns of a table: name=Title,youtube.followers=Subscribers', parseMap),
      option('--set <pair>', 'a value for every line of a table: country=Norway; can be repeated', parsePair),
      option(
        '--default <pair>',
        'a value for empty cells, with --merge only of new creators: country=Norway; can be repeated',
        parsePair,
      ),
      option('--platform <name>', 'whose columns handle and followers are; can be repeated', parsePlatform),
      option('--null <word>', 'another word for an empty cell; can be repeated', several),
      option('--merge', 'add to what is known of a creator (default for tables)'),
      option('--replace', 'replace whole creators (default for NDJSON)').conflicts('merge'),
      option('--move-accounts', 'move accounts that other creators have'),
      option('--source <text>', 'where the data is from; kept with the import and its creators'),
      option('--dry-run', 'report what the import would change, and store nothing'),
      option('--rejected <file>', 'write the lines that fail to a file, to be corrected and imported'),
      option('--accept-rejected', 'exit with 0 even if lines are rejected'),
    ],
    more: importHelp,
    run: importFile,
  },
);

/** Imports a file and prints the report; fails if lines were rejected, unless that is allowed. */
export async function importFile(session: Session, options: Options): Promise<void> {
  const { file, dry_run, move_accounts, source, rejected: rejectedName } = options;
  const { client, io } = session;
  const { bytes, size } = await open(io, file);
  const progress = new ImportProgress(io.stderr, size);
  let rejectedFile: FileHandle | null = null;
  try {
    if (rejectedName !== undefined) {
      const [name, source] = [resolve(io.directory, rejectedName), resolve(io.directory, file)];
      rejectedFile = await openRejectedFile(name, source);
    }
    const mode = options.merge ? 'merge' : options.replace && 'replace';
    const note = (text: string): void => session.note(text);
    const read = await importLines(progress.watchFile(bytes), { ...options, mode, rejectedFile, note });
    session.note(`Reading ${file === '-' ? 'standard input' : file}: ${read.format}.`);
    const sent = client.upload<ImportReport>('/creators/import', progress.watchLines(read.lines), {
      dry_run,
      mode: read.mode,
      move_accounts,
      source,
      file: options.file_name ?? (file === '-' ? undefined : basename(file)),
    });
    const reply = await sent.catch((error: unknown) => {
      throw error instanceof DamagedFileError && !dry_run ? storedUntil(error) : error;
    });
    const report = read.rejected.addedTo(reply);
    progress.stop();
    session.print(report, (shown) => showReport(shown, progress.elapsedMs));
    if (report.rejected > 0 && !options.accept_rejected) throw rejectedLines(report, rejectedName);
  } finally {
    progress.stop();
    bytes.destroy();
    await rejectedFile?.close();
  }
}

/** Opens a file of the user, or standard input. The size of pipes is unknown. */
export async function open(io: CliIo, file: string): Promise<{ bytes: Readable; size?: number }> {
  if (file === '-') return { bytes: io.stdin };
  const name = resolve(io.directory, file);
  try {
    const found = await stat(name);
    if (found.isDirectory()) throw new Error('it is a directory. Import its files one by one');
    const bytes = createReadStream(name, { highWaterMark: 256 * 1024 });
    await once(bytes, 'ready');
    return { bytes, ...(found.isFile() ? { size: found.size } : {}) };
  } catch (error) {
    throw new CliError(`${file} can't be read: ${messageOf(error)}`);
  }
}

function storedUntil({ message }: DamagedFileError): CliError {
  return new CliError(
    `${message} Lines before that may be stored; import the whole file when it is corrected.`,
  );
}

/** Fails the command so that scripts notice; the rest of the file is stored. */
function rejectedLines({ rejected, dry_run }: ImportReport, file?: string): CliError {
  const [one, many] = dry_run ? ['would be', 'would be'] : ['was', 'were'];
  const lines = rejected === 1 ? `1 line ${one}` : `${formatInteger(rejected)} lines ${many}`;
  const rest = dry_run ? 'nothing is stored' : 'everything else is stored';
  const where = file === undefined ? '' : `; ${file} has the lines that were rejected before sending`;
  return new CliError(`${lines} rejected; ${rest} (use --accept-rejected to accept that)${where}.`);
}
