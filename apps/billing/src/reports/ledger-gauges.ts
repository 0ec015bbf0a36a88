import { gauge } from '#platform';
import { InjectTransactionRunner, type StatementName, TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { reportsPool } from '../database/data-source.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../ledger/rules/ledger-options.js';
import { toReviewSql } from '../orders/operators/order-concerns.js';

const pending = (value: string): string =>
  `SELECT (${value})::float8 AS value FROM charges WHERE state = 'pending'`;

/** Served by the partial index of the same name. */
const ofWaitingEvents = (value: string): string =>
  `SELECT (${value})::float8 AS value FROM payment_events WHERE state = 'waiting'`;

/** Hand-written: the catalog of PostgreSQL, which has the bounds of partitions. */
const monthsAheadSql = `
  SELECT (extract(year FROM until) * 12 + extract(month FROM until)
    - extract(year FROM at) * 12 - extract(month FROM at) - 1)::float8 AS value
  FROM (SELECT ledger_now() AT TIME ZONE 'UTC' AS at, least(
    ledger_months_until('charges_ended'), ledger_months_until('ledger_entries')) AT TIME ZONE 'UTC' AS until) AS clock`;

/** It is due once `$1` whole months have followed it. */
const monthsDelaySql = `
  SELECT greatest(0, extract(epoch FROM
    ledger_now() - (min(ends) AT TIME ZONE 'UTC' + make_interval(months => $1)) AT TIME ZONE 'UTC'))::float8 AS value
  FROM ledger_months('ledger_entries')`;

/**
 * No value where WAL is not archived. A server without changes completes no file, and has nothing to archive. The number of a
 * file is in its name, behind the timeline: the number of 4 GB, and of the file in these.
 */
export const walDelaySql = `
  WITH archiver AS (
    SELECT coalesce(last_archived_time, pg_postmaster_start_time()) AS since,
      substring(last_archived_wal, '^[0-9A-F]{24}') AS file,
      pg_size_bytes(current_setting('wal_segment_size')) AS file_bytes
    FROM pg_stat_archiver
    WHERE current_setting('archive_mode') <> 'off' AND NOT pg_is_in_recovery()
  ), archived AS (
    SELECT *, coalesce(('x' || lpad(substr(file, 9, 8), 16, '0'))::bit(64)::bigint * (4294967296 / file_bytes)
      + ('x' || lpad(substr(file, 17, 8), 16, '0'))::bit(64)::bigint, -1) AS number
    FROM archiver
  )
  SELECT CASE
      WHEN floor(pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') / file_bytes) <= number + 1 THEN 0
      ELSE extract(epoch FROM clock_timestamp() - since)
    END::float8 AS value
  FROM archived`;

/** Discrepancies that audits of the last day found, so that an alert lasts for a day. */
const foundLastDaySql = `
  SELECT max(jsonb_array_length(result -> 'discrepancies'))::float8 AS value
  FROM audits WHERE ended_at > ledger_now() - interval '1 day'`;
const lastAuditSql = `
  SELECT extract(epoch FROM max(ended_at))::float8 AS value FROM audits
  WHERE result IS NOT NULL AND kind = 'hourly' AND ended_at > ledger_now() - interval '7 days'`;

/** The name and help text of a gauge, and the statement that gives its `value`, which is the same on every replica. */
type LedgerGauge = readonly [name: StatementName, help: string, sql: string, parameters?: unknown[]];

const gauges: readonly LedgerGauge[] = [
  ['pending_charges', 'Charges that are neither posted nor voided yet.', pending('count(*)')],
  [
    'pending_charge_oldest_age_seconds',
    'Age of the oldest pending charge.',
    pending('coalesce(extract(epoch FROM ledger_now() - min(created_at)), 0)'),
  ],
  [
    'ledger_months_ahead',
    'Months after this one that charges and entries have a partition for.',
    monthsAheadSql,
  ],
  [
    'ledger_rows_without_month',
    'Charges and entries in the default partitions, because there was no month for them; at most a thousand of each are counted.',
    'SELECT ledger_rows_without_month()::float8 AS value',
  ],
  [
    'wal_archiving_delay_seconds',
    'Time since WAL was last archived, while a complete file waits; 0: none waits. Not there where WAL is not archived.',
    walDelaySql,
  ],
  [
    'audit_discrepancies',
    'The most discrepancies that one audit of the last day has found.',
    foundLastDaySql,
  ],
  ['audit_last_success_timestamp_seconds', 'End of the last hourly audit, whatever it found.', lastAuditSql],
  [
    'orders_to_review',
    'Orders for which something else was paid than was ordered, unresolved.',
    `SELECT count(*)::float8 AS value FROM orders WHERE ${toReviewSql}`,
  ],
  ['payment_events_waiting', 'Events of Stripe that are not worked on yet.', ofWaitingEvents('count(*)')],
  [
    'payment_event_oldest_age_seconds',
    'Age of the oldest event of Stripe that waits.',
    ofWaitingEvents('coalesce(extract(epoch FROM ledger_now() - min(received_at)), 0)'),
  ],
];

/** Where months are archived. */
const archiveGauges = (onlineMonths: number): readonly LedgerGauge[] => [
  [
    'ledger_archiving_delay_seconds',
    'Time since the oldest month that is not archived was due; 0: none is due. Not there where no month is archived.',
    monthsDelaySql,
    [onlineMonths],
  ],
];

/** Metrics of the ledger and of orders that are read from the database. */
@Injectable()
export class LedgerGauges {
  constructor(
    @InjectTransactionRunner(reportsPool) reports: TransactionRunner,
    @Inject(LEDGER_OPTIONS)
    { archiveDirectory, onlineMonths }: Pick<LedgerOptions, 'archiveDirectory' | 'onlineMonths'>,
  ) {
    const ofArchives = archiveDirectory === '' ? [] : archiveGauges(onlineMonths);
    for (const [name, help, sql, parameters] of [...gauges, ...ofArchives]) {
      gauge(name, help, async () => {
        const [row] = await reports.query<{ value: number | null }>(name, sql, parameters);
        return row?.value ?? undefined;
      });
    }
  }
}
