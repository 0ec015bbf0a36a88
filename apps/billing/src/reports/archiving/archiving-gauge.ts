import { gauge } from '#platform';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';

/**
 * No value where WAL is not archived. A server without changes completes no file, and has nothing to archive. The number of a
 * file is in its name, behind the timeline: the number of 4 GB, and of the file in these.
 */
export const archivingDelaySql = `
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

/** For how long PostgreSQL has not archived WAL although some is waiting, the same on every replica. */
@Injectable()
export class ArchivingGauge implements OnModuleInit {
  constructor(@InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner) {}

  onModuleInit(): void {
    gauge(
      'wal_archiving_delay_seconds',
      'Time since WAL was last archived, while a complete file waits; 0: none waits. Not there where WAL is not archived.',
      async () => {
        const [row] = await this.reports.query<{ value: number }>('read archiving delay', archivingDelaySql);
        return row?.value;
      },
    );
  }
}
