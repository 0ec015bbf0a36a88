import { type Discrepancy } from '#contracts';
import { gauge, messageOf } from '#platform';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../database/data-source.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../ledger/rules/ledger-options.js';
import { type ArchiveFacts, differences, factsColumns, readArchive } from './archive-file.js';

const recordedSql = `SELECT ${factsColumns} FROM ledger_archives ORDER BY ends, name`;

/** A month is due from the start of the one that makes it older than the `$1` that stay. */
const delaySql = `
  SELECT greatest(0, extract(epoch FROM
    ledger_now() - (min(ends) AT TIME ZONE 'UTC' + make_interval(months => $1)) AT TIME ZONE 'UTC'))::float8 AS seconds
  FROM ledger_months('ledger_entries')`;

/** Compares what the archive job has written with its record, and measures how late the job is, where months are archived. */
@Injectable()
export class ArchiveAudit implements OnModuleInit {
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

  /** Seconds, the same on every replica; `undefined`: no month is archived. */
  async delay(): Promise<number | undefined> {
    if (this.options.archiveDirectory === '') return undefined;
    const { query } = this.reports;
    const [row] = await query<{ seconds: number }>('read delay of archives', delaySql, [
      this.options.onlineMonths,
    ]);
    return row?.seconds;
  }

  /** Reads every archive. */
  async discrepancies(signal: AbortSignal): Promise<Discrepancy[]> {
    const { archiveDirectory: directory } = this.options;
    if (directory === '') return [];
    const found: Discrepancy[] = [];
    for (const recorded of await this.reports.query<ArchiveFacts>('select archives', recordedSql)) {
      for (const problem of await problemsOf(recorded, directory, signal)) {
        const expected = `the archive ${recorded.name} with ${recorded.rows} rows`;
        const about = { account_id: null, lot_id: null, charge_id: null };
        found.push({ kind: 'archive_differs', ...about, expected, found: problem });
      }
    }
    return found;
  }
}

async function problemsOf(recorded: ArchiveFacts, directory: string, signal: AbortSignal): Promise<string[]> {
  try {
    return differences(recorded, await readArchive(directory, recorded.name, signal));
  } catch (error) {
    signal.throwIfAborted();
    return [`can't be read: ${messageOf(error)}`];
  }
}
