import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { furthestEastMs } from '#contracts';
import { keysOf } from '../import/cells.js';
import { formatCount, formatInteger, formatSeconds } from '../output/format.js';
import { pairs } from '../output/show.js';
import { type Session } from '../session.js';
import { Dump } from '../wikidata/dump.js';
import { type Reason, reasons, toRecord } from '../wikidata/record.js';
import { readTables } from '../wikidata/tables.js';
import { command, option } from './command.js';
import { importFile, open } from './import-creators.js';

interface Options {
  readonly dump: string;
  readonly tables?: string;
  readonly print?: true;
  readonly accept_rejected?: true;
}

const progressMs = 10_000;

const wikidataHelp = `
DUMP is a JSON dump from https://dumps.wikimedia.org/wikidatawiki/entities/ (CC0), plain or gzip, by its content. Taken are people
and channels whose followers Wikidata counts. Run it again with a newer dump: the slugs stay the same. Line numbers of rejected
records are those of --print. See docs/importing.md.

Examples:
  $ npm run cli -- creators import-wikidata latest-all.json.gz
  $ npm run --silent cli -- creators import-wikidata latest-all.json.gz --print > creators.ndjson
  $ lbzip2 -dc latest-all.json.bz2 | npm run cli -- creators import-wikidata -
`;

export const importWikidataCommand = command(
  'import-wikidata <dump>',
  'create and replace creators from a JSON dump of Wikidata',
  {
    options: [
      option('--tables <dir>', 'directory with your own kinds, countries, languages or categories.json'),
      option('--print', 'print the records as NDJSON instead of importing them'),
      option('--accept-rejected', 'exit with 0 even if records are rejected'),
    ],
    more: wikidataHelp,
    run: async (session, given: Options) => {
      if (given.print) return convert(session, given, session.io.stdout);
      // Converted first, as a dump may have no creator for longer than an upload may be silent.
      const directory = await mkdtemp(join(tmpdir(), 'wikidata-'));
      try {
        const file = join(directory, 'creators.ndjson');
        await convert(session, given, createWriteStream(file));
        const file_name = given.dump === '-' ? undefined : basename(given.dump);
        await importFile(session, { file, file_name, accept_rejected: given.accept_rejected });
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  },
);

/** Writes the creators of a dump as lines of an import, and notes what was left out and why. */
async function convert(session: Session, { dump: name, tables: own }: Options, to: Writable): Promise<void> {
  const { io } = session;
  const tables = await readTables(io.wikidataTables, own === undefined ? own : resolve(io.directory, own));
  const today = new Date(Date.now() + furthestEastMs).toISOString().slice(0, 10);
  const startedAt = performance.now();
  const dump = new Dump();
  const { bytes } = await open(io, name);
  let taken = 0;
  const leftOut: Record<Reason, number> = { kind: 0, account: 0, count: 0, name: 0, country: 0 };
  async function* lines(): AsyncGenerator<string> {
    for await (const item of dump.countedItems(bytes)) {
      const record = toRecord(item, tables, today);
      if (typeof record === 'string') {
        leftOut[record] += 1;
      } else {
        taken += 1;
        yield `${JSON.stringify(record)}\n`;
      }
    }
  }
  const noteProgress = (): void => {
    const took = formatSeconds(performance.now() - startedAt);
    session.note(`${formatCount(dump.items, 'item')} in ${took}: ${formatCount(taken, 'creator')}`);
  };
  const progress = setInterval(noteProgress, progressMs);
  try {
    await pipeline(lines, to, { end: to !== io.stdout });
  } finally {
    clearInterval(progress);
    bytes.destroy();
  }
  noteProgress();
  const counted = Object.values(leftOut).reduce((sum, count) => sum + count, taken);
  const counts = keysOf(reasons).map((reason) => [reasons[reason], leftOut[reason]] as const);
  const rows = [['without follower counts', dump.items - counted] as const, ...counts];
  session.note(pairs(rows.map(([text, count]) => [`  ${text}`, formatInteger(count)])));
}
