import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseCode, StartError } from '#platform';
import { copyTo, type Managed, type TransactionRunner } from '#platform/database';
import { type LedgerOptions } from '../ledger/rules/ledger-options.js';
import { type ArchiveFacts, differences, factsColumns, readArchive, writeArchive } from './ledger-archive.js';

/** A partition with its months, one as a rule. */
interface Partition {
  readonly name: string;
  /** Name of the table in SQL. */
  readonly table: string;
  readonly ends: Date;
}

const lockNotAvailable = '55P03';
const [lockAttempts, lockRetryMs] = [120, 500];

/** What is over by then is due. A charge of the last moments is returned in the next month, whose statements name it: it stays as long. */
const dueUntil = {
  ledger_entries: `date_trunc('month', ledger_now() AT TIME ZONE 'UTC') - make_interval(months => $1)`,
  charges_ended: `ledger_online_since() AT TIME ZONE 'UTC' - interval '1 month'`,
} as const;
type Parent = keyof typeof dueUntil;

const dueSql = (parent: Parent): string => `
  SELECT name, oid::regclass::text AS table, ends FROM (
    SELECT pg_class.oid, relname AS name,
      (regexp_match(pg_get_expr(relpartbound, pg_class.oid), $$TO \\('([^']+)'\\)$$))[1]::timestamptz AS ends
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = '${parent}'::regclass
  ) AS partitions
  WHERE ends AT TIME ZONE 'UTC' <= ${dueUntil[parent]}
  ORDER BY ends`;

const recordedSql = `SELECT ${factsColumns} FROM ledger_archives WHERE name = $1`;
const recordSql = `
  INSERT INTO ledger_archives (name, parent, ends, rows, bytes, sha256, archived_at)
  VALUES ($1, $2, $3, $4, $5, $6, ledger_now())`;

/**
 * Moves the months that are due to files, oldest first, and returns the ones that were written. Each is written, read again, recorded and
 * dropped, in that order: whenever the job dies, the next one continues from there. From its record on, nothing reads the month in the
 * database.
 */
export async function archiveMonths(
  database: TransactionRunner,
  { archiveDirectory: directory, onlineMonths }: Pick<LedgerOptions, 'archiveDirectory' | 'onlineMonths'>,
): Promise<ArchiveFacts[]> {
  await mkdir(directory, { recursive: true });
  const { query } = database;
  const written: ArchiveFacts[] = [];
  const archive = async (parent: Parent, { name, table, ends }: Partition): Promise<void> => {
    const [recorded] = await query<ArchiveFacts>('find archive', recordedSql, [name]);
    if (!recorded) await write(database, directory, { name, table, ends });
    const found = await readArchive(directory, name);
    const [stored] = await query<{ rows: number }>(
      'count rows',
      `SELECT count(*)::float8 AS rows FROM ${table}`,
    );
    const wrong = differences(recorded ?? found, found);
    // Nothing is written into a month that is so long over: the table has the rows of its archive.
    if (stored?.rows !== found.rows) {
      wrong.push(`it has ${stored?.rows} rows, but its archive has ${found.rows}`);
    }
    if (wrong.length > 0) throw new StartError(`${name} was not dropped: ${wrong.join('; ')}.`);
    if (!recorded) {
      await query('record archive', recordSql, [name, parent, ends, found.rows, found.bytes, found.sha256]);
      written.push(found);
    }
    await drop(database, table);
  };
  for (const parent of ['ledger_entries', 'charges_ended'] as const) {
    const parameters = parent === 'ledger_entries' ? [onlineMonths] : [];
    const due = await query<Partition>('select months to archive', dueSql(parent), parameters);
    for (const partition of due) await archive(parent, partition);
  }
  return written;
}

async function write(
  database: TransactionRunner,
  directory: string,
  { name, table, ends }: Partition,
): Promise<void> {
  // Every lot lives 30 days: by then, what its entries add up to is nothing.
  const openSql = 'SELECT count(*)::integer AS lots FROM lots WHERE created_at < $1 AND remaining <> 0';
  const [open] = await database.query<{ lots: number }>('count open lots', openSql, [ends]);
  if (open?.lots !== 0) {
    throw new StartError(
      `${name} was not archived: ${open?.lots} of its lots have credits. Does the sweep run?`,
    );
  }
  const copySql = `COPY (SELECT * FROM ${table}) TO STDOUT (FORMAT csv, HEADER)`;
  const copy = async ({ manager }: Managed) => writeArchive(directory, name, await copyTo(manager, copySql));
  await database.run(copy, { readOnly: true });
}

/** Waits for its locks shortly, so that no call waits long behind it, and tries again. */
async function drop({ query }: TransactionRunner, table: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await query('drop partition', `DROP TABLE ${table}`);
      return;
    } catch (error) {
      if (databaseCode(error) !== lockNotAvailable || attempt === lockAttempts) throw error;
      await delay(lockRetryMs);
    }
  }
}
