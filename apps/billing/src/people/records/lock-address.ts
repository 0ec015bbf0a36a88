import { type Queryable } from '@app/platform/database';

/** The key of the lock of an address, of an SQL expression for it; addresses that share a hash only wait for each other. */
export const addressLockKey = (email: string): string => `hashtextextended(${email}, 0)`;

const lockAddressSql = `SELECT pg_advisory_xact_lock(${addressLockKey('$1')})`;

/**
 * Until the end of the transaction nothing else decides about the address, and its person is not deleted. Comes after the lock of an
 * account, never before it.
 */
export async function lockAddress({ query }: Queryable, emailFolded: string): Promise<void> {
  await query('lock address', lockAddressSql, [emailFolded]);
}
