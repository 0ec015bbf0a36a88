import { type LockedAccounts } from '../database/locked-accounts.js';
import { addPurchasedLot } from '../purchases/lots.js';
import { type AgreementRow, findRunning, noteGrant } from './agreements.repository.js';
import { grantReference } from '../purchases/grant-reference.js';
import { dueDate } from './due-dates.js';

/**
 * Grants the due dates of an agreement that have come, each once: those that passed while nobody was there, too. The lot
 * lives 30 days from its grant. Gives how many were granted.
 */
export async function grantDue(locked: LockedAccounts, agreement: AgreementRow): Promise<number> {
  let { grants } = agreement;
  let due = dueDate(agreement.starts_at, grants);
  while (due.getTime() <= locked.now.getTime()) {
    await addPurchasedLot(locked, {
      accountId: agreement.account_id,
      pack: 'enterprise',
      reference: grantReference(agreement.id, due),
      credits: agreement.credits,
      priceCents: Number(agreement.price_cents),
      purchasedAt: locked.now,
    });
    grants += 1;
    due = dueDate(agreement.starts_at, grants);
  }
  const granted = grants - agreement.grants;
  if (granted > 0) await noteGrant(locked.query, agreement.id, grants, due);
  return granted;
}

/** Grants what is due to accounts that are locked already; gives how many grants that were. */
export async function grantDueOfAccounts(locked: LockedAccounts): Promise<number> {
  let granted = 0;
  for (const accountId of locked.accountIds) {
    const agreement = await findRunning(locked.query, accountId);
    if (agreement) granted += await grantDue(locked, agreement);
  }
  return granted;
}
