import { randomUUID } from 'node:crypto';
import { ServiceError } from '#contracts';
import { TransactionRunner } from '#platform/database';
import { AdjustmentsService } from '../../credits/adjustments.service.js';
import { LotRefundsService } from '../../credits/lot-refunds.service.js';
import { RecoverableCreditsStep } from '../../orders/recoverable-credits.step.js';
import { AuditService } from '../../reports/audit/audit.service.js';
import { oldRowsStep } from '../../schedule/old-rows.fixture.js';
import { SweepService } from '../../schedule/sweep.service.js';
import { type Customer, type LedgerFixture } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';
import { type StoredCharge } from '../rules/ledger-state.js';
import { ExpiredLotsStep } from '../lots/expired-lots.step.js';
import { OverdueChargesStep } from '../charges/overdue-charges.js';
import {
  accounts,
  type Answer,
  type Books,
  type Call,
  chargeRequest,
  chargeState,
  type Command,
  type Done,
  entryName,
  isMessage,
  lifetimeMs,
  lotState,
  type Message,
  type PlayableLedger,
  settlement,
} from './commands.fixture.js';

/** Rows with the columns that the books name. */
interface Rows {
  readonly lots: { id: string; remaining: number; expires_at: string }[];
  readonly entries: {
    lot: string;
    type: string;
    charge: string | null;
    of: string | null;
    credits: number;
  }[];
  readonly charges: (Pick<
    StoredCharge,
    'id' | 'state' | 'refusal' | 'voidReason' | 'isAbandoned' | 'repeatOf'
  > & {
    createdAt: string;
  })[];
  readonly tombstones: { id: string }[];
}

const booksSql = `
  SELECT
    ARRAY(SELECT to_jsonb(t) FROM (
      SELECT id, remaining, expires_at FROM lots WHERE account_id = $1
    ) AS t) AS lots,
    ARRAY(SELECT to_jsonb(t) FROM (
      SELECT entries.lot_id AS lot, type, charge_id AS charge, COALESCE('refund ' || lot_refunds.reference, adjustments.reference) AS of,
        entries.credits
      FROM ledger_entries AS entries LEFT JOIN adjustments ON adjustments.id = adjustment_id
      LEFT JOIN lot_refunds ON lot_refunds.lot_id = refunded_lot_id
      WHERE entries.account_id = $1
    ) AS t) AS entries,
    ARRAY(SELECT to_jsonb(t) FROM (
      SELECT id, state, refusal, void_reason AS "voidReason", is_abandoned AS "isAbandoned", repeat_of AS "repeatOf",
        created_at AS "createdAt"
      FROM charges WHERE account_id = $1
    ) AS t) AS charges,
    ARRAY(SELECT to_jsonb(t) FROM (
      SELECT charge_id AS id FROM charge_tombstones WHERE account_id = $1
    ) AS t) AS tombstones`;

/**
 * The service on PostgreSQL, in two replicas: each history has its own accounts. Tombstones are kept, because the model
 * never forgets them.
 */
export class PostgresLedger implements PlayableLedger {
  private readonly chargeIds = new Map<string, string>();
  private readonly callNames = new Map<string, string>();
  private readonly lots = new Map<number, string[]>();

  private constructor(
    private readonly ledger: LedgerFixture,
    private readonly customers: readonly Customer[],
    private readonly sweeper: SweepService,
  ) {}

  static async open(ledger: LedgerFixture): Promise<PostgresLedger> {
    const customers = [];
    for (let number = 0; number < accounts; number++) customers.push(await ledger.customer(0));
    const steps = [
      ledger.get(OverdueChargesStep),
      ledger.get(RecoverableCreditsStep),
      ledger.get(ExpiredLotsStep),
      oldRowsStep(ledger, 'refused charges'),
    ];
    const sweeper = new SweepService(ledger.get(TransactionRunner), defaultLedgerOptions, steps);
    return new PostgresLedger(ledger, customers, sweeper);
  }

  setClock(at: number): Promise<void> {
    return this.ledger.factory.setClock(new Date(at));
  }

  together(messages: readonly Message[]): Promise<Answer[]> {
    return Promise.all(messages.map((message) => this.send(message, message.account)));
  }

  async apply(command: Command, replica: number): Promise<Done> {
    if (isMessage(command)) return { answer: await this.send(command, replica) };
    switch (command.kind) {
      case 'purchase':
        return { lotId: await this.purchase(command.account, command.credits, command.expiresInMs) };
      case 'adjust':
        return this.adjust(command.account, command.credits, command.reference);
      case 'refund':
        return this.refund(command.account, command.lot, command.reference);
      case 'revoke_key':
        await this.ledger.factory.switchOff(this.customer(command.account).keyId);
        break;
      case 'move_clock':
        await advanceClock(this.ledger, command.ms);
        break;
      case 'sweep':
        await this.sweeper.sweep();
        break;
      case 'audit':
        await this.sweeper.sweep();
        expect((await this.ledger.get(AuditService).audit()).discrepancies).toEqual([]);
        break;
    }
    return {};
  }

  books(): Promise<Books[]> {
    return Promise.all(this.customers.map(({ accountId }) => this.booksOf(accountId)));
  }

  private async send({ kind, account, call }: Message, replica: number): Promise<Answer> {
    const service = this.ledger.replica(replica);
    const { accountId, keyId } = this.customer(account);
    const chargeId = this.chargeId(account, call);
    if (kind === 'charge') return service.charge(chargeRequest(call, { accountId, keyId, chargeId }));
    const { results } = await service.settle({ settlements: [settlement(kind, accountId, chargeId)] });
    return results[0]?.result ?? 'unknown_charge';
  }

  private async purchase(account: number, credits: number, expiresInMs: number): Promise<string> {
    const { accountId } = this.customer(account);
    const now = await readClock(this.ledger);
    const purchasedAt = new Date(now + expiresInMs - lifetimeMs);
    const lotId = await this.ledger.factory.lot({ accountId, credits, purchasedAt });
    this.lotsOf(account).push(lotId);
    return lotId;
  }

  private async adjust(account: number, credits: number, reference: string): Promise<Done> {
    const { accountId: account_id } = this.customer(account);
    try {
      const request = { account_id, credits, reason: 'a test', reference };
      const { credits_remaining } = await this.ledger.get(AdjustmentsService).adjust(request);
      const [row] = await this.ledger.query<{ lot_id: string | null }>(
        'SELECT lot_id FROM adjustments WHERE account_id = $1 AND reference = $2',
        [account_id, reference],
      );
      const lotId = row?.lot_id ?? undefined;
      if (lotId !== undefined && !this.lotsOf(account).includes(lotId)) this.lotsOf(account).push(lotId);
      return { answer: { outcome: 'adjusted', credits_remaining }, lotId };
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'conflict') return { answer: 'conflict' };
      throw error;
    }
  }

  private async refund(account: number, lot: number, reference: string): Promise<Done> {
    const { accountId: account_id } = this.customer(account);
    const lotId = this.lotsOf(account)[lot];
    try {
      const request = { account_id, lot_id: lotId ?? randomUUID(), reason: 'a test', reference };
      const { refund } = (await this.ledger.get(LotRefundsService).refund(request)).lot;
      if (!refund) throw new Error('a refunded lot shows no refund');
      const { credits_taken_back: taken_back, credits_not_recovered: not_recovered } = refund;
      return { answer: { outcome: 'refunded', taken_back, not_recovered }, lotId };
    } catch (error) {
      if (error instanceof ServiceError && (error.code === 'conflict' || error.code === 'not_found')) {
        return { answer: error.code, lotId };
      }
      throw error;
    }
  }

  /** In the order in which they were opened. */
  private lotsOf(account: number): string[] {
    const lots = this.lots.get(account) ?? [];
    this.lots.set(account, lots);
    return lots;
  }

  private async booksOf(accountId: string): Promise<Books> {
    const [[rows], balance] = await Promise.all([
      this.ledger.query<Rows>(booksSql, [accountId]),
      this.ledger.balance(accountId),
    ]);
    if (!rows) throw new Error('the books gave no row');
    const nameOf = (chargeId: string | null): string | null =>
      chargeId === null ? null : (this.callNames.get(chargeId) ?? chargeId);
    return {
      balance,
      lots: Object.fromEntries(
        rows.lots.map(({ id, remaining, expires_at }) => [id, lotState(remaining, Date.parse(expires_at))]),
      ),
      entries: sumByName(
        rows.entries.map(({ lot, type, charge, of, credits }) => [
          entryName(lot, type, nameOf(charge) ?? of),
          credits,
        ]),
      ),
      charges: Object.fromEntries(
        rows.charges.map((charge) => {
          const repeatOf = nameOf(charge.repeatOf);
          const state = chargeState({ ...charge, repeatOf }, Date.parse(charge.createdAt));
          return [nameOf(charge.id) ?? charge.id, state] as const;
        }),
      ),
      tombstones: rows.tombstones.map(({ id }) => nameOf(id) ?? id).sort(),
    };
  }

  private customer(account: number): Customer {
    const customer = this.customers[account];
    if (!customer) throw new Error(`no account ${account}`);
    return customer;
  }

  private chargeId(account: number, { name }: Call): string {
    const key = `${account} ${name}`;
    const id = this.chargeIds.get(key) ?? randomUUID();
    this.chargeIds.set(key, id);
    this.callNames.set(id, name);
    return id;
  }
}

function sumByName(entries: readonly (readonly [string, number])[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, credits] of entries) sums[name] = (sums[name] ?? 0) + credits;
  return sums;
}

/** What the clock shows that `BillingFactory.setClock` has stopped. */
async function readClock({ query }: LedgerFixture): Promise<number> {
  const [row] = await query<{ now: Date }>('SELECT ledger_now() AS now');
  return row?.now.getTime() ?? Number.NaN;
}

/** Advances that clock; concurrent calls add up. */
async function advanceClock({ query }: LedgerFixture, ms: number): Promise<void> {
  await query(`UPDATE test_clock SET at = at + $1 * interval '1 millisecond'`, [ms]);
}

/**
 * Entries older than one written before them on the same account. There are none unless the clock was put back: every
 * writer reads it under the lock of the account.
 */
export function entriesBackInTime({ query }: LedgerFixture): Promise<unknown[]> {
  return query(
    `SELECT * FROM (
       SELECT id, account_id, type, created_at, lag(created_at) OVER (PARTITION BY account_id ORDER BY id) AS before
       FROM ledger_entries
     ) AS entries WHERE created_at < before`,
  );
}
