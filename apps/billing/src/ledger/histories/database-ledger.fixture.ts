import { randomUUID } from 'node:crypto';
import { TransactionRunner } from '@app/platform/database';
import { ExpiredLotsStep } from '../lots/expired-lots.step.js';
import { OverdueChargesStep } from '../charges/overdue-charges.step.js';
import { oldRowsStep } from '../../schedule/old-rows.fixture.js';
import { SweepService } from '../../schedule/sweep.service.js';
import {
  accounts,
  messageOf,
  pendingTimeoutMs,
  type Answer,
  type Command,
  type PlayableLedger,
} from './histories.fixture.js';
import { type Customer, type LedgerFixture } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';

const options = { ...defaultLedgerOptions, pendingTimeoutMs };

/**
 * The real ledger: each history has its own accounts, each served by another replica. Tombstones are kept, because the
 * model never forgets them.
 */
export class DatabaseLedger implements PlayableLedger {
  private readonly chargeIds = new Map<string, string>();

  private constructor(
    private readonly ledger: LedgerFixture,
    private readonly customers: Customer[],
    private readonly sweeper: SweepService,
  ) {}

  static async open(ledger: LedgerFixture): Promise<DatabaseLedger> {
    const customers = [];
    for (let number = 0; number < accounts; number++) customers.push(await ledger.customer(0));
    const steps = [
      ledger.get(OverdueChargesStep),
      ledger.get(ExpiredLotsStep),
      oldRowsStep(ledger, 'refused charges'),
    ];
    const sweeper = new SweepService(ledger.get(TransactionRunner), options, steps);
    return new DatabaseLedger(ledger, customers, sweeper);
  }

  setClock(at: number): Promise<void> {
    return this.ledger.factory.setClock(new Date(at));
  }

  purchase(account: number, credits: number, purchasedAt: number): Promise<string> {
    const { accountId } = this.customer(account);
    return this.ledger.factory.lot({ accountId, credits, purchasedAt: new Date(purchasedAt) });
  }

  switchKeyOff(account: number): Promise<void> {
    return this.ledger.factory.switchOff(this.customer(account).keyId);
  }

  async sweep(): Promise<void> {
    await this.sweeper.sweep();
  }

  apply(commands: Command[]): Promise<Answer[]> {
    return Promise.all(commands.map((command) => this.applyOne(command)));
  }

  balance(account: number): Promise<number> {
    return this.ledger.balance(this.customer(account).accountId);
  }

  async lots(account: number): Promise<Record<string, number>> {
    const rows = await this.ledger.query<{ id: string; remaining: number }>(
      'SELECT id, remaining FROM lots WHERE account_id = $1 AND remaining > 0',
      [this.customer(account).accountId],
    );
    return Object.fromEntries(rows.map(({ id, remaining }) => [id, remaining]));
  }

  customer(account: number): Customer {
    const customer = this.customers[account];
    if (!customer) throw new Error(`no account ${account}`);
    return customer;
  }

  chargeId({ account, call }: Command): string {
    const name = `${account} ${call}`;
    const id = this.chargeIds.get(name) ?? randomUUID();
    this.chargeIds.set(name, id);
    return id;
  }

  private async applyOne(command: Command): Promise<Answer> {
    const service = this.ledger.replicas[command.account % 2 === 0 ? 0 : 1];
    const message = messageOf(command, {
      ...this.customer(command.account),
      chargeId: this.chargeId(command),
    });
    if ('charge' in message) return service.charge(message.charge);
    const { results } = await service.settle({ settlements: [message.settlement] });
    return results[0]?.result ?? 'unknown_charge';
  }
}
