import { type Discrepancy } from '#contracts';
import { messageOf } from '#platform';
import { differences, type ReadArchive, readArchive } from '../../archives/archive-chain.js';
import { type LotsByAccount, type RecordedArchive } from '../../archives/archive-records.js';
import { Found } from './found.js';

/** What the database says about the archives, on one snapshot. */
export interface ArchivesOnRecord {
  readonly recorded: readonly RecordedArchive[];
  readonly carried: LotsByAccount;
}

export interface ArchivesGiven {
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Called after each block of a file: everything before this instant was read. */
  readonly onProgress: (until: Date) => void;
}

/**
 * The archives as one audit reads them, and what it finds in them. It goes on with what is archived while the audit runs: months that
 * were read before are not read again.
 */
export class ArchivesAudit {
  /** Of all months that could be read. */
  entries = 0;
  private readonly ofMonths: Found;
  private ofLots: readonly Discrepancy[] = [];
  private last: RecordedArchive | undefined;
  /** What the lots had at the end of the last month; `null`: not known, because a month is not what it should be. */
  private lots: LotsByAccount | null = new Map();

  constructor(
    private readonly given: ArchivesGiven,
    private readonly discrepanciesMax: number,
  ) {
    this.ofMonths = new Found(discrepanciesMax);
  }

  get discrepancies(): readonly Discrepancy[] {
    return [...this.ofMonths.all, ...this.ofLots];
  }

  /** Reads the months that were not read yet, oldest first, and compares what they leave with what is carried on. */
  async read({ recorded, carried }: ArchivesOnRecord): Promise<void> {
    const further = recorded.filter(({ month }) => month > (this.last?.month ?? ''));
    if (this.given.directory === '') this.cannotRead(further);
    else for (const month of further) await this.readMonth(month);
    this.ofLots = this.lots ? lotsThatDiffer(this.lots, carried, this.discrepanciesMax) : [];
  }

  private cannotRead(further: readonly RecordedArchive[]): void {
    const [first, last] = [further[0], further.at(-1)];
    if (!first || !last) return;
    this.report(`the archives from ${first.month} to ${last.month}`, 'LEDGER_ARCHIVE_DIRECTORY is not set');
    [this.last, this.lots] = [last, null];
  }

  private async readMonth(record: RecordedArchive): Promise<void> {
    const expected = `the archive of ${record.month} with ${record.entries} entries`;
    const found = await this.tryToRead(record);
    if (typeof found === 'string') {
      this.report(expected, found);
    } else {
      this.entries += found.facts.entries;
      const wrong = differences(record, found.facts, this.last?.chainHash ?? '');
      for (const problem of wrong) this.report(expected, problem);
      // Without the lots before it, a month is only compared with its record.
      if (this.lots) {
        for (const { accountId, problem } of found.problems) this.report(expected, problem, accountId);
      }
    }
    const isRight = typeof found !== 'string' && found.problems.length === 0;
    this.lots = this.lots && isRight ? found.carried : null;
    this.last = record;
  }

  /** Or why it can't be read. */
  private async tryToRead(record: RecordedArchive): Promise<ReadArchive | string> {
    const { directory, signal, onProgress } = this.given;
    signal.throwIfAborted();
    try {
      return await readArchive(directory, record, this.lots ?? new Map(), (entries) => {
        signal.throwIfAborted();
        onProgress(instantIn(record, entries));
      });
    } catch (error) {
      signal.throwIfAborted();
      return `can't be read: ${messageOf(error)}`;
    }
  }

  private report(expected: string, found: string, account_id: string | null = null): void {
    const about = { account_id, lot_id: null, charge_id: null };
    this.ofMonths.add([{ kind: 'archive_differs', ...about, expected, found }]);
  }
}

/** As far into the month as so many of its entries are. */
function instantIn({ month, entries }: RecordedArchive, read: number): Date {
  const start = new Date(`${month}-01T00:00:00Z`);
  const end = new Date(start).setUTCMonth(start.getUTCMonth() + 1);
  const share = entries > 0 ? Math.min(1, read / entries) : 1;
  return new Date(start.getTime() + share * (end - start.getTime()));
}

function lotsThatDiffer(archived: LotsByAccount, carried: LotsByAccount, max: number): Discrepancy[] {
  const found = new Found(max);
  const compare = (account_id: string, lot_id: string): void => {
    const [by, on] = [archived, carried].map((lots) => lots.get(account_id)?.get(lot_id) ?? 0);
    if (by === on) return;
    const lot = { kind: 'carried_lot_differs', account_id, lot_id, charge_id: null } as const;
    found.add([{ ...lot, expected: `${by} credits by the archives`, found: `${on} credits carried on` }]);
  };
  for (const [account, lots] of archived) for (const lot of lots.keys()) compare(account, lot);
  for (const [account, lots] of carried) {
    for (const lot of lots.keys()) if (!archived.get(account)?.has(lot)) compare(account, lot);
  }
  return found.all;
}
