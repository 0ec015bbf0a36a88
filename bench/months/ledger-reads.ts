import { performance } from 'node:perf_hooks';
import { type EntryType } from '@app/contracts';
import { TransactionRunner } from '@app/platform/database';
import { DataSource } from 'typeorm';
import { ArchivedEntries } from '../../apps/billing/src/archives/archived-entries.js';
import { readClock } from '../../apps/billing/src/database/account-transactions.js';
import { billingReportsOptions } from '../../apps/billing/src/database/data-source.js';
import { LotViewsRepository } from '../../apps/billing/src/ledger/lots/lot-views.repository.js';
import { defaultLedgerOptions } from '../../apps/billing/src/ledger/rules/ledger-options.js';
import { AuditRepository, type Checkpoint } from '../../apps/billing/src/reports/audit/audit.repository.js';
import { LedgerAudit } from '../../apps/billing/src/reports/audit/ledger-audit.js';
import { CallsRepository } from '../../apps/billing/src/reports/calls/calls.repository.js';
import {
  StatementsRepository,
  type StatementPosition,
  type WantedPage,
} from '../../apps/billing/src/reports/statements/statements.repository.js';

/** Both ledgers have so many new entries of each account. */
const pageSize = 20;

type Account = WantedPage<StatementPosition>['account'];

/** What customers and operators read of a ledger, by the queries of the service, one after the other. */
export class LedgerReads {
  private readonly runner: TransactionRunner;
  private readonly statements = new StatementsRepository(new ArchivedEntries(defaultLedgerOptions));
  private readonly lots = new LotViewsRepository();
  private readonly calls = new CallsRepository();
  private readonly audit = new LedgerAudit(new AuditRepository(), defaultLedgerOptions);
  private checkpoint: Checkpoint | null = null;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: readonly Account[],
  ) {
    this.runner = new TransactionRunner(dataSource);
  }

  static async open(url: string): Promise<LedgerReads> {
    const dataSource = await new DataSource(billingReportsOptions({ url })).initialize();
    const accounts = await dataSource.query<Account[]>('SELECT id, created_at AS "createdAt" FROM accounts');
    return new LedgerReads(dataSource, accounts);
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  balances(count: number): Promise<number[]> {
    return this.each(count, (account) => {
      const read = (): Promise<unknown> =>
        this.runner.readPlannedOnce(async (on) => this.lots.unexpired(on, account.id, await readClock(on)));
      return Promise.resolve(read);
    });
  }

  firstPages(count: number): Promise<number[]> {
    return this.each(count, (account) => Promise.resolve(() => this.page(account, null)));
  }

  /** The two newest purchases, between which all calls of a month are. */
  purchases(count: number): Promise<number[]> {
    return this.each(count, (account) =>
      Promise.resolve(() => this.page(account, null, { type: 'purchase', limit: 2 })),
    );
  }

  nextPages(count: number): Promise<number[]> {
    return this.each(count, async (account) => {
      const last = (await this.page(account, null)).at(-1);
      if (!last) throw new Error('an account without entries');
      const balanceBefore = String(last.balance_after - last.credits);
      return () => this.page(account, { id: last.id, at: last.at.toISOString(), balanceBefore });
    });
  }

  callsById(count: number): Promise<number[]> {
    return this.each(count, async ({ id: account_id }) => {
      const [call] = await this.calls.newestFirst(this.runner, { account_id }, { limit: 1, after: null });
      if (!call) throw new Error('an account without calls');
      const wanted = { account_id, request_id: call.request_id };
      return () => this.calls.newestFirst(this.runner, wanted, { limit: 1, after: null });
    });
  }

  /** What an audit at this instant would leave: there are no charges meanwhile. */
  async rememberCheckpoint(): Promise<void> {
    const lots = await this.dataSource.query<{ id: string; remaining: number }[]>(
      'SELECT id, remaining FROM lots WHERE remaining > 0',
    );
    this.checkpoint = {
      until: new Date(),
      credits: new Map(lots.map(({ id, remaining }) => [id, remaining])),
    };
  }

  /** Takes so many ms. Throws when it finds something. */
  async hourlyAudit(): Promise<number> {
    const began = performance.now();
    const { reply } = await this.audit.run({
      reader: this.runner,
      before: this.checkpoint,
      signal: new AbortController().signal,
    });
    if (!reply.ok) throw new Error(`the audit found ${reply.discrepancies[0]?.kind}`);
    return performance.now() - began;
  }

  private page(
    account: Account,
    after: StatementPosition | null,
    { type, limit }: { type: EntryType | null; limit: number } = { type: null, limit: pageSize },
  ): ReturnType<StatementsRepository['entriesWithBalances']> {
    return this.runner.readPlannedOnce((on) =>
      this.statements.entriesWithBalances(on, { account, limit, after }, type),
    );
  }

  /** How long the readings take, in ms, each of an account at random, after what they need was prepared. */
  private async each(
    count: number,
    prepare: (account: Account) => Promise<() => Promise<unknown>>,
  ): Promise<number[]> {
    const latenciesMs: number[] = [];
    while (latenciesMs.length < count) {
      const account = this.accounts[Math.floor(Math.random() * this.accounts.length)];
      if (!account) throw new Error('a ledger without accounts');
      const read = await prepare(account);
      const began = performance.now();
      await read();
      latenciesMs.push(performance.now() - began);
    }
    return latenciesMs;
  }
}
