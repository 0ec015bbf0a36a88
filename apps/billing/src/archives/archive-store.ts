import { type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseCode, StartError } from '#platform';
import { copyTo, type Query, type Transaction, type TransactionRunner } from '#platform/database';
import { type Month } from './archive-files.js';
import {
  carriedLots,
  type LotsByAccount,
  type RecordedArchive,
  recordedArchives,
} from './archive-records.js';
import { lineSql } from './archived-entry.js';

const lockNotAvailable = '55P03';
const lockAttempts = 120;
const lockRetryMs = 500;

/** For `COPY`, which takes no parameters: a `Month` holds only digits and a hyphen. */
const startOf = (month: Month): string => `timestamptz '${month}-01 00:00:00+00'`;

const endOf = (month: Month): string =>
  `(${startOf(month)} AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC'`;

function within(column: string, month: Month): string {
  return `${column} >= ${startOf(month)} AND ${column} < ${endOf(month)}`;
}

/**
 * The lines of a month, sorted as they are in the file. A charge of the month may have its reversal in the next one, and a reversal
 * its charge in the month before, at most a day earlier.
 */
function copySql(month: Month): string {
  return `COPY (
    SELECT ${lineSql}
    FROM ledger_entries AS entries
    LEFT JOIN charges ON charges.id = entries.charge_id
      AND charges.created_at BETWEEN ${startOf(month)} - interval '1 day' AND ${startOf(month)} + interval '32 days'
    LEFT JOIN (SELECT account_id, sum(credits) AS credits FROM carried_lots GROUP BY account_id) AS carried
      ON carried.account_id = entries.account_id
    WHERE ${within('entries.created_at', month)}
    ORDER BY entries.account_id, entries.id
  ) TO STDOUT (FORMAT csv)`;
}

/**
 * From the month after the last archive, or of the first account (`accounts_page`), to the last one that is older than those that
 * stay, which are `$1` whole ones before the present month.
 */
export const dueSql = `
  SELECT to_char(month, 'YYYY-MM') AS month
  FROM generate_series(
    (SELECT COALESCE(
      (SELECT max(month) + interval '1 month' FROM ledger_archives),
      date_trunc('month', (SELECT min(created_at) FROM accounts) AT TIME ZONE 'UTC')
    )),
    date_trunc('month', ledger_now() AT TIME ZONE 'UTC') - make_interval(months => $1 + 1),
    interval '1 month'
  ) AS month`;

const recordSql = `
  INSERT INTO ledger_archives (month, entries, bytes, sha256, chain_hash, archived_at)
  VALUES (($1 || '-01')::date, $2, $3, $4, $5, ledger_now())`;

const carrySql = `
  INSERT INTO carried_lots (account_id, lot_id, credits)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[])`;

function countCallsSql(month: Month): string {
  return `
    INSERT INTO archived_calls (account_id, day, key_id, operation, calls, credits, last_at)
    SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, key_id, operation, count(*), sum(credits), max(created_at)
    FROM charges WHERE state = 'posted' AND ${within('created_at', month)}
    GROUP BY 1, 2, 3, 4`;
}

/** A partition all of whose months are archived. */
interface ArchivedPartition {
  readonly parent: string;
  readonly name: string;
  /** Of its months, on record. */
  readonly entries: number;
}

/** Charges stay a month longer: those of the last moments are returned in the next month, whose statements and archive name them. */
const partitionsSql = `
  WITH leaves AS (
    SELECT parents.relname AS parent, leaves.oid::regclass::text AS name,
      pg_get_expr(leaves.relpartbound, leaves.oid) AS bound
    FROM pg_inherits
    JOIN pg_class AS leaves ON leaves.oid = inhrelid
    JOIN pg_class AS parents ON parents.oid = inhparent
    WHERE inhparent IN ('ledger_entries'::regclass, 'charges_ended'::regclass)
  ), bounds AS (
    SELECT *, (regexp_match(bound, $$FROM \\('([^']+)'\\)$$))[1]::timestamptz AS starts,
      (regexp_match(bound, $$TO \\('([^']+)'\\)$$))[1]::timestamptz AS ends
    FROM leaves
  )
  SELECT parent, name, (
    SELECT COALESCE(sum(entries), 0)::float8 FROM ledger_archives
    WHERE (starts IS NULL OR month >= starts AT TIME ZONE 'UTC') AND month < ends AT TIME ZONE 'UTC'
  ) AS entries
  FROM bounds
  WHERE (ends AT TIME ZONE 'UTC' + CASE parent WHEN 'charges_ended' THEN interval '1 month' ELSE interval '0' END) AT TIME ZONE 'UTC'
    <= ledger_online_since()
  ORDER BY ends, parent`;

/** The database of a job that archives months, as the owner of the tables. */
export class ArchiveStore {
  private readonly query: Query;

  constructor(private readonly database: TransactionRunner) {
    this.query = database.query;
  }

  /** Oldest first. */
  recorded(): Promise<RecordedArchive[]> {
    return recordedArchives(this.database);
  }

  /** The months to archive, oldest first, so that so many whole ones before the present month stay. */
  async due(onlineMonths: number): Promise<Month[]> {
    const rows = await this.query<{ month: Month }>('select months to archive', dueSql, [onlineMonths]);
    return rows.map(({ month }) => month);
  }

  carried(): Promise<LotsByAccount> {
    return carriedLots(this.database);
  }

  /** Sends the lines of a month to `write`, on one snapshot. */
  copy<Result>(month: Month, write: (lines: Readable) => Promise<Result>): Promise<Result> {
    const copy = async ({ manager }: Transaction): Promise<Result> =>
      write(await copyTo(manager, copySql(month)));
    return this.database.run(copy, { readOnly: true });
  }

  /** From the commit on, every reader takes the month from its archive. Locks nothing that calls need. */
  record(
    { month, entries, bytes, sha256, chainHash }: RecordedArchive,
    carried: LotsByAccount,
  ): Promise<void> {
    return this.database.run(async ({ query }) => {
      await query('record archive', recordSql, [month, entries, bytes, sha256, chainHash]);
      await query('count archived calls', countCallsSql(month));
      await query('forget carried lots', 'DELETE FROM carried_lots');
      const lots = [...carried].flatMap(([accountId, ofAccount]) =>
        [...ofAccount].map(([lotId, credits]) => ({ accountId, lotId, credits })),
      );
      await query('carry lots', carrySql, [
        lots.map(({ accountId }) => accountId),
        lots.map(({ lotId }) => lotId),
        lots.map(({ credits }) => credits),
      ]);
    });
  }

  /**
   * Drops the partitions whose months are all archived. Each lock is waited for shortly, so that no call waits long behind this, and
   * tried for again. Throws `StartError` for a partition that has other entries
   * than its archives.
   */
  async dropArchived(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.dropOnce();
        return;
      } catch (error) {
        if (databaseCode(error) !== lockNotAvailable || attempt === lockAttempts) throw error;
        await delay(lockRetryMs);
      }
    }
  }

  private async dropOnce(): Promise<void> {
    const sql = partitionsSql;
    for (const partition of await this.query<ArchivedPartition>('select archived partitions', sql)) {
      if (partition.parent === 'ledger_entries') await this.requireArchived(partition);
      await this.query('drop partition', `DROP TABLE ${partition.name}`);
    }
  }

  private async requireArchived({ name, entries }: ArchivedPartition): Promise<void> {
    const [row] = await this.query<{ count: number }>(
      'count entries of partition',
      `SELECT count(*)::float8 AS count FROM ${name}`,
    );
    if (row?.count === entries) return;
    throw new StartError(
      `${name} has ${row?.count} entries, but its archives have ${entries}: it was not dropped.`,
    );
  }
}
