import { type AdjustmentReply, type AdjustmentRequest, ServiceError } from '@app/contracts';
import { type RemainingMs } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { noSuchAccount } from '../accounts/accounts.repository.js';
import { findLot } from '../accounts/lot-view.js';
import { type LockedAccounts } from '../database/locked-accounts.js';
import { allocate } from '../ledger/allocate.js';
import { balanceAt } from '../ledger/balance.repository.js';
import { insertEntries, type NewEntry } from '../ledger/entries.repository.js';
import { loadRecentLots } from '../ledger/lots.repository.js';
import { withOverdueVoided } from '../ledger/overdue-charges.js';
import { refuseAboveLimit } from '../purchases/credit-limit.js';
import { insertLot } from '../purchases/lots.js';
import { type AdjustmentRow, findAdjustment, insertAdjustment } from './adjustments.repository.js';

type Entries = Omit<NewEntry, 'accountId' | 'type' | 'adjustmentId'>[];

/** Goodwill and corrections, each with its reason, once per reference. */
@Injectable()
export class AdjustmentsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Positive: a lot of its own that lives 30 days. Negative: taken from the oldest lots; `conflict` when it would take
   * more than the balance. Also `conflict` for a known reference with other content and for more credits than an account
   * may hold, `invalid_request` for 0 credits, `not_found` without the account.
   */
  async adjust(request: AdjustmentRequest, remainingMs?: RemainingMs): Promise<AdjustmentReply> {
    const { account_id, credits } = request;
    if (credits === 0) {
      throw new ServiceError('invalid_request', 'An adjustment changes the balance.', {
        details: { credits: ['credits must be an integer other than 0'] },
      });
    }
    const work = (locked: LockedAccounts): Promise<AdjustmentReply> => adjustLocked(locked, request);
    return withOverdueVoided(this.dataSource, account_id, work, { remainingMs });
  }
}

async function adjustLocked(locked: LockedAccounts, request: AdjustmentRequest): Promise<AdjustmentReply> {
  const { account_id, reference } = request;
  if (!locked.accountIds.has(account_id)) throw noSuchAccount();
  const stored = await findAdjustment(locked.query, account_id, reference);
  if (stored) refuseOtherContent(stored, request);
  return toReply(locked, stored ?? (await store(locked, request)), stored === undefined);
}

async function store(locked: LockedAccounts, request: AdjustmentRequest): Promise<AdjustmentRow> {
  const { query, now } = locked;
  const { account_id: accountId, credits, reason, reference } = request;
  const before = await balanceAt(query, accountId, now);
  const lotId = credits > 0 ? await addGoodwillLot(locked, request) : null;
  const entries: Entries = lotId === null ? await takeOldest(locked, request) : [{ lotId, credits }];
  const row = {
    id: uuidv7(),
    credits,
    reason,
    reference,
    lot_id: lotId,
    credits_remaining: before + credits,
    created_at: now,
  };
  await insertAdjustment(query, accountId, row);
  const named = entries.map((entry) => ({
    ...entry,
    accountId,
    type: 'adjustment' as const,
    adjustmentId: row.id,
  }));
  await insertEntries(locked, named);
  return row;
}

async function addGoodwillLot(
  locked: LockedAccounts,
  { account_id, credits }: AdjustmentRequest,
): Promise<string> {
  await refuseAboveLimit(locked, account_id, credits);
  return insertLot(locked, {
    accountId: account_id,
    pack: 'adjustment',
    reference: null,
    credits,
    priceCents: 0,
    purchasedAt: locked.now,
  });
}

async function takeOldest(
  { query, now }: LockedAccounts,
  { account_id, credits }: AdjustmentRequest,
): Promise<Entries> {
  const lots = (await loadRecentLots(query, [account_id])).get(account_id) ?? [];
  const allocation = allocate(lots, -credits, now);
  if (allocation.outcome === 'insufficient') {
    throw new ServiceError(
      'conflict',
      `A correction can't take more than the balance, which is ${allocation.available}.`,
    );
  }
  return allocation.fromLots.map((part) => ({ lotId: part.lotId, credits: -part.credits }));
}

function refuseOtherContent(stored: AdjustmentRow, { credits, reason }: AdjustmentRequest): void {
  if (stored.credits === credits && stored.reason === reason) return;
  throw new ServiceError(
    'conflict',
    'This reference belongs to an adjustment with other content; use a new one.',
  );
}

async function toReply(
  { query, now }: LockedAccounts,
  row: AdjustmentRow,
  created: boolean,
): Promise<AdjustmentReply> {
  return {
    created,
    adjustment: {
      id: row.id,
      credits: row.credits,
      reason: row.reason,
      reference: row.reference,
      at: row.created_at.toISOString(),
      lot: row.lot_id === null ? null : await findLot(query, row.lot_id, now),
    },
    credits_remaining: row.credits_remaining,
  };
}
