import { ServiceError } from '@app/contracts';
import { type LockedAccounts } from '../database/locked-accounts.js';

/** Most credits in the unexpired lots of an account, spent or not: no balance comes near the end of 32 bits. */
export const accountCreditsMax = 2_000_000_000;

/**
 * Throws `conflict` when `credits` more would go over the limit. Monthly grants are not held to it: they were agreed before,
 * and what is owed is never refused.
 */
export async function refuseAboveLimit(
  { query, now }: LockedAccounts,
  accountId: string,
  credits: number,
): Promise<void> {
  const [row] = await query<{ held: number }>(
    `SELECT COALESCE(sum(credits), 0)::float8 AS held FROM lots WHERE account_id = $1 AND expires_at > $2`,
    [accountId, now],
  );
  if (row && row.held + credits <= accountCreditsMax) return;
  throw new ServiceError(
    'conflict',
    `The lots of an account that have not expired hold at most ${accountCreditsMax} credits together.`,
  );
}
