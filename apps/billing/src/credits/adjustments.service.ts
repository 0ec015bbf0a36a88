import {
  type AdjustmentReply,
  type AdjustmentRequest,
  type AdminRole,
  type Operator,
  supportCreditsMax,
} from '#contracts';
import { type ChangeContext } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { conflict, forbidden, invalidField } from '../errors.js';
import { AccountsRepository, noSuchAccount } from '../accounts/accounts.repository.js';
import { type LockedAccounts } from '../database/account-transactions.js';
import { OverdueCharges } from '../ledger/charges/overdue-charges.js';
import { BalanceRepository } from '../ledger/lots/balance.repository.js';
import { LotViewsRepository } from '../ledger/lots/lot-views.repository.js';
import { type Lot } from '../ledger/lots/lot.entity.js';
import { LotsRepository } from '../ledger/lots/lots.repository.js';
import { allocate, isExpired } from '../ledger/rules/allocate.js';
import { Adjustment } from './credits.entity.js';
import { type OwedCredits, planReturn, type ReturnPlan } from './plan-return.js';
import { isOrderReference, refuseOther, returnReference } from './references.js';

const lockTokenSql = 'SELECT role FROM admin_tokens WHERE id = $1 FOR NO KEY UPDATE';

/** Served by `adjustments_by_time` and `admin_log_of_subject`. */
const goodwillSql = `
  SELECT coalesce(sum(credits), 0)::float8 AS credits FROM adjustments
  WHERE created_at > $2::timestamptz - interval '24 hours' AND credits > 0 AND EXISTS (
    SELECT FROM admin_log WHERE subject = adjustments.id::text AND action = 'credits.adjusted' AND token_id = $1
  )`;

/** Credits that are added to a lot; negative: taken from it. */
interface LotChange {
  readonly lotId: string;
  readonly credits: number;
}

/** Without the columns that it has none of. */
type NewAdjustment = Pick<Adjustment, 'accountId' | 'credits' | 'reason' | 'reference'> &
  Partial<Pick<Adjustment, 'lotId' | 'orderId' | 'refundedLotId'>>;

/** Money that went back for the credits of a lot. */
interface ReturnedMoney extends OwedCredits {
  /** The order that it was paid for; `null`: the lot itself was refunded. */
  readonly orderId: string | null;
  readonly reason: string;
}

/** Goodwill and corrections, each with its reason, once per reference. */
@Injectable()
export class AdjustmentsService {
  constructor(
    private readonly overdue: OverdueCharges,
    private readonly accounts: AccountsRepository,
    private readonly balances: BalanceRepository,
    private readonly lots: LotsRepository,
    private readonly lotViews: LotViewsRepository,
  ) {}

  /**
   * Positive credits open a new lot that expires in 30 days. Negative credits are taken from the oldest lots. Throws
   * `conflict` when a correction exceeds the balance, for a known reference with other content and for more credits
   * than an account may hold, `forbidden` for more than the role of the operator may give, `invalid_request` for the reference of an
   * order, `not_found` without the account.
   */
  async adjust(request: AdjustmentRequest, by: ChangeContext = {}): Promise<AdjustmentReply> {
    if (isOrderReference(request.reference)) {
      throw invalidField('reference', 'reference must not be like those of orders');
    }
    const work = (locked: LockedAccounts): Promise<AdjustmentReply> => this.adjustLocked(locked, request, by);
    return this.overdue.runWithAllVoided(request.account_id, work, by);
  }

  /**
   * Brings a lot in line with its money: takes the credits whose money went back, as far as they are there, or gives back what was
   * taken. Overdue charges must have been voided. Returns what has changed.
   */
  async followMoney(
    locked: LockedAccounts,
    lot: Lot,
    { orderId, reason, ...owed }: ReturnedMoney,
  ): Promise<ReturnPlan> {
    const isLotExpired = isExpired(lot, locked.now);
    const plan = planReturn(owed, { remaining: lot.remaining, isExpired: isLotExpired });
    const { change: credits } = plan;
    if (credits === 0) return plan;
    const { id: lotId, accountId } = lot;
    const about = orderId === null ? { refundedLotId: lotId } : { orderId, lotId };
    const number = (await locked.manager.countBy(Adjustment, about)) + 1;
    const reference = returnReference(orderId ?? lotId, number);
    await this.record(locked, { accountId, credits, reason, reference, ...about }, [{ lotId, credits }]);
    return plan;
  }

  /** Stores an adjustment and its changes of lots, which add up to its credits. Overdue charges must have been voided. */
  private async record(
    locked: LockedAccounts,
    adjustment: NewAdjustment,
    changes: readonly LotChange[],
  ): Promise<Adjustment> {
    const { accountId, credits } = adjustment;
    const before = await this.balances.balanceAt(locked, accountId, locked.now);
    const adjustmentId = uuidv7();
    const none = { lotId: null, orderId: null, refundedLotId: null };
    const result = { id: adjustmentId, creditsRemaining: before + credits, createdAt: locked.now };
    const stored = { ...none, ...adjustment, ...result };
    await locked.manager.insert(Adjustment, stored);
    await this.lots.insertEntries(
      locked,
      changes.map((change) => ({ ...change, accountId, type: 'adjustment', adjustmentId })),
    );
    return stored;
  }

  /** Takes the remaining credits of an account, once. Overdue charges must have been voided. */
  async takeAll(locked: LockedAccounts, account_id: string, reason: string): Promise<void> {
    const credits = await this.balances.balanceAt(locked, account_id, locked.now);
    if (credits === 0) return;
    await this.store(locked, { account_id, credits: -credits, reason, reference: `closed:${account_id}` });
  }

  private async adjustLocked(
    locked: LockedAccounts,
    request: AdjustmentRequest,
    { operator }: ChangeContext,
  ): Promise<AdjustmentReply> {
    const { account_id: accountId, reference } = request;
    if (!locked.accountIds.has(accountId)) throw noSuchAccount();
    const known = await locked.manager.findOneBy(Adjustment, { accountId, reference });
    if (known) {
      const isSame = { credits: known.credits === request.credits, reason: known.reason === request.reason };
      refuseOther('an adjustment', isSame);
    }
    if (!known && request.credits > 0 && operator) await refuseTooMuch(locked, operator, request.credits);
    const stored = known ?? (await this.store(locked, request));
    const { id, credits, reason, lotId, creditsRemaining, createdAt } = stored;
    const lot = lotId === null ? null : await this.lotViews.get(locked, lotId, locked.now);
    const adjustment = { id, credits, reason, reference, at: createdAt.toISOString(), lot };
    if (!known) {
      const after = { ...adjustment, credits_remaining: creditsRemaining };
      await locked.record({ action: 'credits.adjusted', account_id: accountId, subject: id, after });
    }
    return { created: known === null, adjustment, credits_remaining: creditsRemaining };
  }

  private async store(
    locked: LockedAccounts,
    { account_id: accountId, credits, reason, reference }: AdjustmentRequest,
  ): Promise<Adjustment> {
    const lotId = credits > 0 ? await this.addGoodwillLot(locked, accountId, credits) : null;
    const changes = lotId === null ? await this.takeOldest(locked, accountId, credits) : [{ lotId, credits }];
    return this.record(locked, { accountId, credits, reason, reference, lotId }, changes);
  }

  private async addGoodwillLot(locked: LockedAccounts, accountId: string, credits: number): Promise<string> {
    await this.accounts.requireNotClosed(locked, accountId);
    await this.lots.assertRoom(locked, accountId, credits);
    const free = { pack: 'adjustment', reference: null, priceCents: 0 } as const;
    return this.lots.insert(locked, { ...free, accountId, credits, purchasedAt: locked.now });
  }

  private async takeOldest(locked: LockedAccounts, accountId: string, credits: number): Promise<LotChange[]> {
    const lots = (await this.lots.recent(locked, [accountId])).get(accountId) ?? [];
    const allocation = allocate(lots, -credits, locked.now);
    if (allocation.outcome === 'insufficient') {
      throw conflict(`A correction can't take more than the balance, which is ${allocation.available}.`);
    }
    return allocation.fromLots.map((part) => ({ lotId: part.lotId, credits: -part.credits }));
  }
}

/** Counts one after the other what a token gives, to whichever accounts. */
async function refuseTooMuch(
  { query, now }: LockedAccounts,
  operator: Operator,
  credits: number,
): Promise<void> {
  const [token] = await query<{ role: AdminRole }>('lock admin token', lockTokenSql, [operator.id]);
  if (token?.role !== 'support') return;
  const { each, daily } = supportCreditsMax;
  const [given] = await query<{ credits: number }>('sum goodwill', goodwillSql, [operator.id, now]);
  const left = daily - (given?.credits ?? 0);
  if (credits <= Math.min(each, left)) return;
  throw forbidden(
    `A token with the role support may give ${each} credits at a time and ${daily} within 24 hours, of which ${left} are left; one ` +
      'with the role all may give more.',
  );
}
