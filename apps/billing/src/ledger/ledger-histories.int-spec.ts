import { randomUUID } from 'node:crypto';
import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { AuditService } from '../audit/audit.service.js';
import { ExpiredLotsStep } from '../sweep/expired-lots.step.js';
import { OverdueChargesStep } from '../sweep/overdue-charges.step.js';
import { SweepService } from '../sweep/sweep.service.js';
import {
  accounts,
  histories,
  messageOf,
  pendingTimeoutMs,
  playHistory,
  Tally,
  type Answer,
  type Command,
  type PlayableLedger,
} from './histories.fixture-spec.js';
import { type Customer, openLedger, type LedgerFixture } from './ledger.fixture-spec.js';
import { defaultLedgerOptions } from './ledger-options.js';

const yearMs = 365 * 24 * 60 * 60 * 1_000;
const options = { ...defaultLedgerOptions, pendingTimeoutMs };
const { runs, seed } = ledgerRuns(60);

let ledger: LedgerFixture;

beforeAll(async () => {
  ledger = await openLedger(options);
});

afterAll(() => ledger.close());

/**
 * The real ledger: accounts of its own per history, each served by another replica. Tombstones are kept: the model doesn't
 * forget.
 */
class DatabaseLedger implements PlayableLedger {
  private readonly chargeIds = new Map<string, string>();

  private constructor(
    private readonly customers: Customer[],
    private readonly sweeper: SweepService,
  ) {}

  static async open(): Promise<DatabaseLedger> {
    const { dataSource } = ledger;
    const customers = [];
    for (let number = 0; number < accounts; number++) customers.push(await ledger.customer(0));
    const steps = [new OverdueChargesStep(dataSource), new ExpiredLotsStep(dataSource)];
    return new DatabaseLedger(customers, new SweepService(dataSource, options, steps));
  }

  setClock(at: number): Promise<void> {
    return ledger.factory.setClock(new Date(at));
  }

  purchase(account: number, credits: number, purchasedAt: number): Promise<string> {
    const { accountId } = this.customer(account);
    return ledger.factory.lot({ accountId, credits, purchasedAt: new Date(purchasedAt) });
  }

  switchKeyOff(account: number): Promise<void> {
    return ledger.factory.switchOff(this.customer(account).keyId);
  }

  async sweep(): Promise<void> {
    await this.sweeper.sweep();
  }

  apply(commands: Command[]): Promise<Answer[]> {
    return Promise.all(commands.map((command) => this.applyOne(command)));
  }

  balance(account: number): Promise<number> {
    return ledger.balance(this.customer(account).accountId);
  }

  async lots(account: number): Promise<Record<string, number>> {
    const rows = await ledger.query<{ id: string; remaining: number }>(
      'SELECT id, remaining FROM lots WHERE account_id = $1 AND remaining > 0',
      [this.customer(account).accountId],
    );
    return Object.fromEntries(rows.map(({ id, remaining }) => [id, remaining]));
  }

  private async applyOne(command: Command): Promise<Answer> {
    const service = ledger.replicas[command.account % 2 === 0 ? 0 : 1];
    const message = messageOf(command, {
      ...this.customer(command.account),
      chargeId: this.chargeId(command),
    });
    if ('charge' in message) return service.charge(message.charge);
    const { results } = await service.settle({ settlements: [message.settlement] });
    return results[0]?.result ?? 'unknown_charge';
  }

  private customer(account: number): Customer {
    const customer = this.customers[account];
    if (!customer) throw new Error(`no account ${account}`);
    return customer;
  }

  private chargeId({ account, call }: Command): string {
    const name = `${account} ${call}`;
    const id = this.chargeIds.get(name) ?? randomUUID();
    this.chargeIds.set(name, id);
    return id;
  }
}

describe('the ledger on PostgreSQL', () => {
  it(`agrees with a naive model on random histories, and its audit finds nothing`, async () => {
    const tally = new Tally();
    let startAt = Date.UTC(2025, 0, 1);
    const property = fc.asyncProperty(histories(30), async (history) => {
      startAt += yearMs;
      await playHistory(await DatabaseLedger.open(), history, startAt, tally);
    });
    await fc.assert(property, { numRuns: runs, seed });
    expect((await new AuditService(ledger.dataSource, options).audit()).discrepancies).toEqual([]);
    process.stdout.write(
      `ledger on PostgreSQL: ${runs} histories; ${tally.toString()}; LEDGER_SEED=${seed}\n`,
    );
  }, 3_600_000);
});
