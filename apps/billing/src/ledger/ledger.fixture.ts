import { randomUUID } from 'node:crypto';
import { type ChargeReply, type ChargeRequest, type Settlement, type SettlementResult } from '#contracts';
import { type Queryable, TransactionRunner } from '#platform/database';
import { BillingFactory, createTestDatabase, keyHashOf } from '#testing';
import { type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../reports/audit/audit.service.js';
import { composeBilling, type Connections } from '../composed-billing.fixture.js';
import { AccountTransactions } from '../database/account-transactions.js';
import { billingDataSourceOptions, billingReportsOptions } from '../database/data-source.js';
import { grants } from '../database/grants.js';
import { migrations } from '../database/migrations/index.js';
import { entities } from '../entities.js';
import { BalanceRepository } from './lots/balance.repository.js';
import { ChargeController } from './charges/charge.controller.js';
import { type SellingOptions } from '../orders/provider/selling-options.js';
import { defaultLedgerOptions, type LedgerOptions } from './rules/ledger-options.js';

/** A test's statement, which needs no name. */
export type TestQuery = <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** The results of `work` for each number from 0. */
export function times<Result>(count: number, work: (index: number) => Result): Result[] {
  return Array.from({ length: count }, (_, index) => work(index));
}

/** A ledger of its own on real PostgreSQL. Packs are not sold unless `selling` says how. */
export async function openLedger(options: Partial<LedgerOptions> = {}, selling?: SellingOptions) {
  const database = await createTestDatabase({ name: 'billing', migrations, grants });
  const open = (url: string) =>
    new DataSource(billingDataSourceOptions({ url, poolSize: 4, entities })).initialize();
  const [dataSource, second, reports, owner] = await Promise.all([
    open(database.runtimeUrl),
    open(database.runtimeUrl),
    new DataSource(billingReportsOptions({ url: database.runtimeUrl, entities })).initialize(),
    open(database.url),
  ]);
  const asOwner = new TransactionRunner(owner);
  const query = testQueryOn(asOwner);
  const factory = new BillingFactory(query);
  const settings = { ...defaultLedgerOptions, settlementBatchDelayMs: 0, ...options };
  const anotherReplica = (changes: Partial<Connections> = {}) =>
    composeBilling({ dataSource, reports, options: settings, ...(selling && { selling }), ...changes });
  const [first, other] = await Promise.all([anotherReplica(), anotherReplica({ dataSource: second })]);
  const replicas = [first.get(ChargeController), other.get(ChargeController)] as const;
  return {
    /** Connects with the role that billing runs with, as `dataSource` does. */
    url: database.runtimeUrl,
    dataSource,
    /** For operators' reports. */
    reports,
    /** Connects with the role that owns the tables, for what billing itself may not do; so do `query` and `ownerTransactions`. */
    owner,
    query,
    /** How many sessions of its database wait for a lock. */
    lockWaiters: async () => (await query(lockWaitersSql)).length,
    factory,
    /** Two services with separate connections, like two replicas. */
    replicas,
    /** The two in turn. */
    replica: (number: number) => replicas[number % 2 === 0 ? 0 : 1],
    /** Transactions of the first replica. */
    transactions: first.get(AccountTransactions),
    ownerTransactions: new AccountTransactions(asOwner),
    /** Another replica, like the first one but for the changes. */
    anotherReplica,
    get: <Provider>(type: Type<Provider>) => first.get(type),
    /** An account with one key and a lot of `credits`. */
    async customer(credits: number) {
      const accountId = await factory.account();
      const keyId = await factory.key(accountId);
      if (credits > 0) await factory.lot({ accountId, credits });
      return new Customer(accountId, keyId);
    },
    balance: (accountId: string) => new BalanceRepository().balanceAt(asOwner, accountId),
    /** Makes it as the migrations leave it, but for changes of the schema. */
    async empty() {
      await owner.query(emptySql);
      await factory.startClock();
    },
    async close() {
      await Promise.all([dataSource, second, reports, owner].map((each) => each.destroy()));
      await database.drop();
    },
  };
}

export type LedgerFixture = Awaited<ReturnType<typeof openLedger>>;

const lockWaitersSql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** One transaction, in which triggers and foreign keys do not apply. */
const emptySql = [
  "SET LOCAL session_replication_role = 'replica'",
  ...Object.keys(grants)
    .filter((table) => !['migrations', 'reconciliation_cursor'].includes(table))
    .map((table) => `DELETE FROM ${table}`),
  'UPDATE reconciliation_cursor SET key_hash = NULL, read_until = NULL',
].join(';');

function testQueryOn({ query }: Queryable): TestQuery {
  return (sql, parameters) => query('test', sql, parameters);
}

/**
 * A ledger of the suite. It is empty when a test begins, and audited when one ends: no test may leave a discrepancy. A test
 * that changes the schema undoes that.
 */
export function useAuditedLedger(selling?: () => SellingOptions): LedgerFixture {
  const ledger = Object.create(null) as LedgerFixture;
  beforeAll(async () => {
    Object.assign(ledger, await openLedger({}, selling?.()));
  });
  beforeEach(() => ledger.empty());
  afterEach(async () => {
    const { discrepancies } = await ledger.get(AuditService).audit();
    expect(discrepancies).toEqual([]);
  });
  afterAll(() => ledger.close());
  return ledger;
}

/** What is special about a call, and how it ends. */
export type CallDetails = Partial<ChargeRequest> & { readonly end?: Settlement['outcome'] };

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
      key_hash: keyHashOf(this.keyId),
      request_id: `request of ${chargeId}`,
      operation: 'search',
      credits,
    };
  }

  settlement(chargeId: string, outcome: Settlement['outcome']): Settlement {
    return { charge_id: chargeId, account_id: this.accountId, outcome };
  }

  /** Charges and returns the id with the reply. */
  async charge(
    service: ChargeController,
    credits: number,
    chargeId: string = randomUUID(),
  ): Promise<{ id: string; reply: ChargeReply }> {
    return { id: chargeId, reply: await service.charge(this.request(credits, chargeId)) };
  }

  /** Charges a call with its own request id, which is settled when `end` says how. */
  async call(
    service: ChargeController,
    credits: number,
    { end, ...details }: CallDetails = {},
  ): Promise<ChargeRequest> {
    const request = { ...this.request(credits), ...details };
    await service.charge(request);
    if (end) await this.settle(service, request.charge_id, end);
    return request;
  }

  /** Charges, and posts the charge. */
  spend(service: ChargeController, credits: number): Promise<ChargeRequest> {
    return this.call(service, credits, { end: 'posted' });
  }

  async settle(
    service: ChargeController,
    chargeId: string,
    outcome: Settlement['outcome'],
  ): Promise<SettlementResult['result'] | undefined> {
    const { results } = await service.settle({ settlements: [this.settlement(chargeId, outcome)] });
    return results[0]?.result;
  }
}
