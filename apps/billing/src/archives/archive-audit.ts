import { type Discrepancy } from '#contracts';
import { messageOf } from '#platform';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { reportsPool } from '../database/data-source.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../ledger/rules/ledger-options.js';
import { type ArchiveFacts, differences, factsColumns, readArchive } from './archive-file.js';

const recordedSql = `SELECT ${factsColumns} FROM ledger_archives ORDER BY ends, name`;

/** Compares what the archive job has written with its record. */
@Injectable()
export class ArchiveAudit {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    @Inject(LEDGER_OPTIONS) private readonly options: Pick<LedgerOptions, 'archiveDirectory'>,
  ) {}

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
