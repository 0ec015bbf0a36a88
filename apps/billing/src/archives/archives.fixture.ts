import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TransactionRunner } from '#platform/database';
import { DataSource } from 'typeorm';
import { billingArchiveOptions } from '../database/data-source.js';
import { OverdueChargesStep } from '../ledger/charges/overdue-charges.step.js';
import { type Customer, type LedgerFixture, openLedger } from '../ledger/ledger.fixture.js';
import { type LedgerOptions } from '../ledger/rules/ledger-options.js';
import { ExpiredLotsStep } from '../ledger/lots/expired-lots.step.js';
import { type ArchiveFacts } from './archive-files.js';
import { archiveMonths } from './archive-months.js';
import { ArchiveStore } from './archive-store.js';

export const dayMs = 24 * 3_600_000;

/** What a customer does, so long after the step before. */
export interface Step {
  readonly afterDays: number;
  readonly customer: number;
  readonly kind: 'purchase' | 'posted' | 'voided' | 'timed_out' | 'free';
  readonly credits: number;
}

/** A ledger without archives, a directory for them, and a job that archives. */
export class ArchivesFixture {
  private constructor(
    readonly directory: string,
    readonly ledger: LedgerFixture,
    private readonly job: DataSource,
    public store: ArchiveStore,
  ) {}

  static async open(options: Partial<LedgerOptions> = {}): Promise<ArchivesFixture> {
    const directory = await mkdtemp(join(tmpdir(), 'archives-'));
    const ledger = await openLedger({ archiveDirectory: directory, ...options });
    const { url } = ledger.owner.options as { readonly url: string };
    const job = await new DataSource(billingArchiveOptions(url)).initialize();
    return new ArchivesFixture(directory, ledger, job, new ArchiveStore(new TransactionRunner(job)));
  }

  async close(): Promise<void> {
    await this.job.destroy();
    await this.ledger.close();
    await rm(this.directory, { recursive: true });
  }

  /** Runs the job. */
  archive(onlineMonths: number): Promise<ArchiveFacts[]> {
    return archiveMonths(this.store, { directory: this.directory, onlineMonths });
  }

  /** The end of the first partition, which has all months before it. */
  async endOfFirst(): Promise<number> {
    const [row] = await this.ledger.query<{ ends: Date }>(`
      SELECT min((regexp_match(pg_get_expr(relpartbound, oid), $$TO \\('([^']+)'\\)$$))[1]::timestamptz) AS ends
      FROM pg_class WHERE relname LIKE 'ledger_entries_before_%' AND relkind = 'r'`);
    if (!row) throw new Error('there is no first partition');
    return row.ends.getTime();
  }

  /** Puts the clock forward; billing has made months ahead meanwhile. */
  async moveTo(now: number): Promise<void> {
    await this.ledger.factory.setClock(new Date(now));
    await this.ledger.query('SELECT add_ledger_months(), add_ledger_months(), add_ledger_months()');
  }

  /** Plays the steps from an instant on and returns the last one. */
  async play(start: number, customers: readonly Customer[], all: readonly Step[]): Promise<number> {
    const { ledger } = this;
    let now = start;
    for (const { afterDays, customer: number, kind, credits } of all) {
      now += afterDays * dayMs;
      await this.moveTo(now);
      const customer = customers[number];
      if (!customer) throw new Error(`no customer ${number}`);
      await ledger.get(ExpiredLotsStep).run(100);
      if (kind === 'purchase') {
        await ledger.factory.lot({ accountId: customer.accountId, credits });
        continue;
      }
      const { id } = await customer.charge(ledger.replica(number), kind === 'free' ? 0 : credits);
      if (kind === 'timed_out') now += 30_000;
      await ledger.factory.setClock(new Date(now));
      if (kind === 'posted' || kind === 'voided') await customer.settle(ledger.replica(number), id, kind);
      await ledger.get(OverdueChargesStep).run(100);
    }
    return now;
  }
}
