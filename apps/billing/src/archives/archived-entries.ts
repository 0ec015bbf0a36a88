import { type EntryType, ServiceError } from '#contracts';
import { type Queryable } from '#platform/database';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { LEDGER_OPTIONS, type LedgerOptions } from '../ledger/rules/ledger-options.js';
import { ArchiveReader, type Month } from './archive-files.js';
import { type ArchivedEntry } from './archived-entry.js';

/** Which entries of an account, newest first. */
export interface WantedEntries {
  readonly accountId: string;
  /** Only those with a lower id; `null`: all. */
  readonly before: string | null;
  readonly type: EntryType | null;
  readonly limit: number;
}

/** Higher than any id. */
export const idMax = '9223372036854775807';

/** The archived months in which an account can have entries, the newest first. */
const monthsSql = `
  SELECT to_char(month, 'YYYY-MM') AS month FROM ledger_archives
  WHERE month >= (SELECT date_trunc('month', created_at AT TIME ZONE 'UTC') FROM accounts WHERE id = $1)
  ORDER BY ledger_archives.month DESC`;

/** Entries of months that have left the database. */
@Injectable()
export class ArchivedEntries {
  private readonly logger = new Logger(ArchivedEntries.name);

  constructor(@Inject(LEDGER_OPTIONS) private readonly options: Pick<LedgerOptions, 'archiveDirectory'>) {}

  /** Newest first. Throws `unavailable` when an archive that is on record can't be read. */
  async find({ query }: Queryable, wanted: WantedEntries): Promise<ArchivedEntry[]> {
    const found: ArchivedEntry[] = [];
    const months = await query<{ month: Month }>('select archived months', monthsSql, [wanted.accountId]);
    for (const { month } of months) {
      if (found.length >= wanted.limit) break;
      await this.read(month, wanted, found);
    }
    return found;
  }

  private async read(
    month: Month,
    { accountId, before, type, limit }: WantedEntries,
    found: ArchivedEntry[],
  ): Promise<void> {
    try {
      const archive = await ArchiveReader.open(this.options.archiveDirectory, month);
      try {
        for await (const entry of archive.entriesBefore(accountId, before ?? idMax)) {
          if (type === null || entry.type === type) found.push(entry);
          if (found.length >= limit) return;
        }
      } finally {
        await archive.close();
      }
    } catch (error) {
      this.logger.error(new Error(`The archive of ${month} can't be read.`, { cause: error }));
      throw new ServiceError('unavailable', 'Entries of earlier months are not available at the moment.');
    }
  }
}
