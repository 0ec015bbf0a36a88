import { type Queryable } from '@app/platform/database';

const lockMailboxSql = `SELECT pg_advisory_xact_lock(hashtextextended('mailbox ' || $1, 0))`;

/**
 * Until the end of the transaction nothing else decides about mails to this mailbox (`mailboxOf`). Comes after the lock of an
 * account, never before it. Mailboxes that share a hash only wait for each other.
 */
export async function lockMailbox({ query }: Queryable, mailbox: string): Promise<void> {
  await query('lock mailbox', lockMailboxSql, [mailbox]);
}
