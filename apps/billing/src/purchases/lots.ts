import { type LotOrigin } from '@app/contracts';
import { type LockedAccounts } from '../database/locked-accounts.js';
import { insertEntries } from '../ledger/entries.repository.js';
import { v7 as uuidv7 } from 'uuid';

/** Credits live for 30 days, in hours: no calendar, no daylight saving (spec 2.4). */
const lifetimeMs = 30 * 24 * 3_600_000;

export interface NewLot {
  readonly accountId: string;
  readonly pack: LotOrigin;
  /** `null` for goodwill, which has its adjustment. */
  readonly reference: string | null;
  readonly credits: number;
  readonly priceCents: number;
  readonly purchasedAt: Date;
}

/** Adds an empty lot: the entry that follows fills it. Returns its id. */
export async function insertLot({ query, now }: LockedAccounts, lot: NewLot): Promise<string> {
  const id = uuidv7();
  await query(
    `INSERT INTO lots (id, account_id, pack, reference, credits, price_cents, purchased_at, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      lot.accountId,
      lot.pack,
      lot.reference,
      lot.credits,
      lot.priceCents,
      lot.purchasedAt,
      new Date(lot.purchasedAt.getTime() + lifetimeMs),
      now,
    ],
  );
  return id;
}

/** Adds a lot that was bought or granted, and its opening entry. Returns its id. */
export async function addPurchasedLot(locked: LockedAccounts, lot: NewLot): Promise<string> {
  const lotId = await insertLot(locked, lot);
  const entry = { accountId: lot.accountId, lotId, type: 'purchase' as const, credits: lot.credits };
  await insertEntries(locked, [entry]);
  return lotId;
}
