import { gauge } from '#platform';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../database/data-source.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../ledger/rules/ledger-options.js';
import { dueSql } from './archive-store.js';

/** A month is due from the start of the one that makes it older than the `$1` that stay. */
const delaySql = `
  SELECT coalesce(extract(epoch FROM
      ledger_now() - (to_date(min(month), 'YYYY-MM') + make_interval(months => $1 + 1)) AT TIME ZONE 'UTC'), 0)::float8 AS seconds
  FROM (${dueSql}) AS due`;

/** A metric of how late the archive job is; the same on every replica. */
@Injectable()
export class ArchiveGauge implements OnModuleInit {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    @Inject(LEDGER_OPTIONS)
    private readonly options: Pick<LedgerOptions, 'archiveDirectory' | 'onlineMonths'>,
  ) {}

  onModuleInit(): void {
    gauge(
      'ledger_archiving_delay_seconds',
      'Time since the oldest month that is not archived was due; 0: none is due. Not there where no month is archived.',
      () => this.delay(),
    );
  }

  /** Seconds; `undefined`: no month is archived. */
  async delay(): Promise<number | undefined> {
    if (this.options.archiveDirectory === '') return undefined;
    const [row] = await this.reports.query<{ seconds: number }>('read delay of archives', delaySql, [
      this.options.onlineMonths,
    ]);
    return row?.seconds;
  }
}
