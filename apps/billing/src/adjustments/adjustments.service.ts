import { type AdjustmentReply, type AdjustmentRequest, ServiceError } from '@app/contracts';
import { type RemainingMs } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { noSuchAccount } from '../accounts/accounts.repository.js';
import { type LockedAccounts } from '../database/account-transactions.js';
import { allocate } from '../ledger/rules/allocate.js';
import { BalanceRepository } from '../ledger/lots/balance.repository.js';
import { EntriesRepository } from '../ledger/entries/entries.repository.js';
import { type NewEntry } from '../ledger/rules/new-entry.js';
import { LotViewsRepository } from '../ledger/lots/lot-views.repository.js';
import { LotsRepository } from '../ledger/lots/lots.repository.js';
import { OverdueCharges } from '../ledger/charges/overdue-charges.js';
import { CreditLimit } from '../purchases/credit-limit.js';
import { isOrderReference } from '../purchases/order-reference.js';
import { type Adjustment } from './adjustment.entity.js';
import { AdjustmentsRepository } from './adjustments.repository.js';

type Entries = Omit<NewEntry, 'accountId' | 'type' | 'adjustmentId'>[];

/** Goodwill and corrections, each with its reason, once per reference. */
@Injectable()
export class AdjustmentsService {
  constructor(
    private readonly overdue: OverdueCharges,
    private readonly adjustments: AdjustmentsRepository,
    private readonly balances: BalanceRepository,
    private readonly lots: LotsRepository,
    private readonly lotViews: LotViewsRepository,
    private readonly entries: EntriesRepository,
    private readonly limit: CreditLimit,
  ) {}

  /**
   * Positive credits open a new lot that expires in 30 days. Negative credits are taken from the oldest lots. Throws
   * `conflict` when a correction exceeds the balance, for a known reference with other content and for more credits
   * than an account may hold, `invalid_request` for 0 credits and the reference of an order, `not_found` without the account.
   */
  async adjust(request: AdjustmentRequest, remainingMs?: RemainingMs): Promise<AdjustmentReply> {
    const { account_id, credits } = request;
    if (credits === 0) {
      throw new ServiceError('invalid_request', 'An adjustment must change the balance.', {
        details: { credits: ['credits must be an integer other than 0'] },
      });
    }
    if (isOrderReference(request.reference)) {
      throw new ServiceError('invalid_request', 'This reference is reserved.', {
        details: { reference: ['reference must not be like those of orders'] },
      });
    }
    const work = (locked: LockedAccounts): Promise<AdjustmentReply> => this.adjustLocked(locked, request);
    return this.overdue.runWithAllVoided(account_id, work, { remainingMs });
  }

  private async adjustLocked(locked: LockedAccounts, request: AdjustmentRequest): Promise<AdjustmentReply> {
    const { account_id, reference } = request;
    if (!locked.accountIds.has(account_id)) throw noSuchAccount();
    const stored = await this.adjustments.findByReference(locked, account_id, reference);
    if (stored) refuseOtherContent(stored, request);
    return this.toReply(locked, stored ?? (await this.store(locked, request)), stored === null);
  }

  private async store(locked: LockedAccounts, request: AdjustmentRequest): Promise<Adjustment> {
    const { account_id: accountId, credits, reason, reference } = request;
    const before = await this.balances.balanceAt(locked, accountId, locked.now);
    const lotId = credits > 0 ? await this.addGoodwillLot(locked, request) : null;
    const entries: Entries = lotId === null ? await this.takeOldest(locked, request) : [{ lotId, credits }];
    const adjustment = {
      id: uuidv7(),
      accountId,
      credits,
      reason,
      reference,
      lotId,
      orderId: null,
      creditsRemaining: before + credits,
      createdAt: locked.now,
    };
    await this.adjustments.insert(locked, adjustment);
    const named = entries.map((entry) => ({
      ...entry,
      accountId,
      type: 'adjustment' as const,
      adjustmentId: adjustment.id,
    }));
    await this.entries.insert(locked, named);
    return adjustment;
  }

  private async addGoodwillLot(
    locked: LockedAccounts,
    { account_id: accountId, credits }: AdjustmentRequest,
  ): Promise<string> {
    await this.limit.refuseAbove(locked, accountId, credits);
    return this.lots.insert(locked, {
      accountId,
      pack: 'adjustment',
      reference: null,
      credits,
      priceCents: 0,
      purchasedAt: locked.now,
    });
  }

  private async takeOldest(
    locked: LockedAccounts,
    { account_id, credits }: AdjustmentRequest,
  ): Promise<Entries> {
    const lots = (await this.lots.recent(locked, [account_id])).get(account_id) ?? [];
    const allocation = allocate(lots, -credits, locked.now);
    if (allocation.outcome === 'insufficient') {
      throw new ServiceError(
        'conflict',
        `A correction can't take more than the balance, which is ${allocation.available}.`,
      );
    }
    return allocation.fromLots.map((part) => ({ lotId: part.lotId, credits: -part.credits }));
  }

  private async toReply(
    locked: LockedAccounts,
    adjustment: Adjustment,
    created: boolean,
  ): Promise<AdjustmentReply> {
    const { id, credits, reason, reference, lotId, creditsRemaining, createdAt } = adjustment;
    const lot = lotId === null ? null : await this.lotViews.get(locked, lotId, locked.now);
    return {
      created,
      adjustment: { id, credits, reason, reference, at: createdAt.toISOString(), lot },
      credits_remaining: creditsRemaining,
    };
  }
}

function refuseOtherContent(stored: Adjustment, { credits, reason }: AdjustmentRequest): void {
  if (stored.credits === credits && stored.reason === reason) return;
  throw new ServiceError(
    'conflict',
    'This reference belongs to an adjustment with other content; use a new one.',
  );
}
