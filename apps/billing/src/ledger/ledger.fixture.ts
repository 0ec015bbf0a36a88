import { randomUUID } from 'node:crypto';
import { type ChargeReply, type ChargeRequest, type Settlement, type SettlementResult } from '@app/contracts';
import { BillingFactory, createTestDatabase } from '@app/testing';
import { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { billingDataSourceOptions, billingReportsOptions } from '../database/data-source.js';
import { grants } from '../database/grants.js';
import { migrations } from '../database/migrations/index.js';
import { autocommitQuery, type Query } from '../database/query.js';
import { balanceAt } from './balance.repository.js';
import { ChargeService } from './charge.service.js';
import { defaultLedgerOptions, type LedgerOptions } from './ledger-options.js';

export interface LedgerFixture {
  /** Of its database, with the role that billing runs with. */
  readonly url: string;
  readonly dataSource: DataSource;
  /** For what only operators read. */
  readonly reports: DataSource;
  /** With the role that owns the tables: for what billing itself may not do. */
  readonly owner: DataSource;
  /** As the owner. */
  readonly query: Query;
  readonly factory: BillingFactory;
  /** Two services with connections of their own, as two replicas have. */
  readonly replicas: readonly [ChargeService, ChargeService];
  /** One of the two: they take turns. */
  replica(number: number): ChargeService;
  /** An account with one key and a lot of so many credits. */
  customer(credits: number): Promise<Customer>;
  balance(accountId: string): Promise<number>;
  close(): Promise<void>;
}

/** What `work` gives for each number from 0. */
export function times<Result>(count: number, work: (index: number) => Result): Result[] {
  return Array.from({ length: count }, (_, index) => work(index));
}

/** A ledger of its own on real PostgreSQL. */
export async function openLedger(options: Partial<LedgerOptions> = {}): Promise<LedgerFixture> {
  const database = await createTestDatabase({ name: 'billing', migrations, grants });
  const open = (url: string) => new DataSource(billingDataSourceOptions({ url, poolSize: 4 })).initialize();
  const [dataSource, second, reports, owner] = await Promise.all([
    open(database.runtimeUrl),
    open(database.runtimeUrl),
    new DataSource(billingReportsOptions(database.runtimeUrl)).initialize(),
    open(database.url),
  ]);
  const query = autocommitQuery(owner);
  const factory = new BillingFactory(query);
  const settings = { ...defaultLedgerOptions, settlementPatienceMs: 0, ...options };
  const replicas = [new ChargeService(dataSource, settings), new ChargeService(second, settings)] as const;
  return {
    url: database.runtimeUrl,
    dataSource,
    reports,
    owner,
    query,
    factory,
    replicas,
    replica: (number) => replicas[number % 2 === 0 ? 0 : 1],
    async customer(credits) {
      const accountId = await factory.account();
      const keyId = await factory.key(accountId);
      if (credits > 0) await factory.lot({ accountId, credits });
      return new Customer(accountId, keyId);
    },
    balance: (accountId) => balanceAt(query, accountId),
    async close() {
      await Promise.all([dataSource, second, reports, owner].map((each) => each.destroy()));
      await database.drop();
    },
  };
}

/** Opens a ledger before every test of the suite and audits it after: whatever a test does, nothing may differ. */
export function useAuditedLedger(): LedgerFixture {
  let current: LedgerFixture | undefined;
  beforeEach(async () => {
    current = await openLedger();
  });
  afterEach(async () => {
    if (!current) return;
    const { discrepancies } = await new AuditService(current.reports, defaultLedgerOptions).audit();
    await current.close();
    expect(discrepancies).toEqual([]);
  });
  const opened = (): LedgerFixture => {
    if (!current) throw new Error('the ledger is open within tests only');
    return current;
  };
  return {
    get url() {
      return opened().url;
    },
    get dataSource() {
      return opened().dataSource;
    },
    get reports() {
      return opened().reports;
    },
    get owner() {
      return opened().owner;
    },
    get factory() {
      return opened().factory;
    },
    get replicas() {
      return opened().replicas;
    },
    replica: (number) => opened().replica(number),
    query: (sql, parameters) => opened().query(sql, parameters),
    customer: (credits) => opened().customer(credits),
    balance: (accountId) => opened().balance(accountId),
    close: () => opened().close(),
  };
}

/** Makes the messages of one customer's calls. */
export class Customer {
  constructor(
    readonly accountId: string,
    readonly keyId: string,
  ) {}

  request(credits: number, chargeId: string = randomUUID()): ChargeRequest {
    return {
      charge_id: chargeId,
      account_id: this.accountId,
      key_id: this.keyId,
      request_id: `request of ${chargeId}`,
      operation: 'search',
      credits,
    };
  }

  settlement(chargeId: string, outcome: Settlement['outcome']): Settlement {
    return { charge_id: chargeId, account_id: this.accountId, outcome };
  }

  /** Charges and gives the id with the reply. */
  async charge(
    service: ChargeService,
    credits: number,
    chargeId: string = randomUUID(),
  ): Promise<{ id: string; reply: ChargeReply }> {
    return { id: chargeId, reply: await service.charge(this.request(credits, chargeId)) };
  }

  async settle(
    service: ChargeService,
    chargeId: string,
    outcome: Settlement['outcome'],
  ): Promise<SettlementResult['result'] | undefined> {
    const { results } = await service.settle({ settlements: [this.settlement(chargeId, outcome)] });
    return results[0]?.result;
  }
}
