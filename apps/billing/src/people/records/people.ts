import { emailProblem, foldEmail } from '#contracts';
import { type Managed, type Queryable } from '#platform/database';
import { v7 as uuidv7 } from 'uuid';
import { invalidField } from '../../errors.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { Person } from './person.entity.js';

/** The form in which an address is compared, stored and mailed. Throws `invalid_request` for one that is not accepted. */
export function requireEmail(email: string): string {
  const folded = foldEmail(email);
  if (folded !== null) return folded;
  const problem = emailProblem(email) ?? 'Enter a valid email address.';
  throw invalidField('email', problem);
}

/** The key of an address's lock, of an SQL expression for the address. Addresses with the same hash only wait for each other. */
export const addressLockKey = (email: string): string => `hashtextextended(${email}, 0)`;

const lockAddressSql = `SELECT pg_advisory_xact_lock(${addressLockKey('$1')})`;
const lockMailboxSql = `SELECT pg_advisory_xact_lock(hashtextextended('mailbox ' || $1, 0))`;

/**
 * Until this transaction ends, no other one decides about the address or deletes its person. Comes after the lock of an
 * account, never before it.
 */
export async function lockAddress({ query }: Queryable, emailFolded: string): Promise<void> {
  await query('lock address', lockAddressSql, [emailFolded]);
}

/**
 * Until this transaction ends, no other one decides about mails to this mailbox (`mailboxOf`). Comes after the lock of an
 * account, never before it.
 */
export async function lockMailbox({ query }: Queryable, mailbox: string): Promise<void> {
  await query('lock mailbox', lockMailboxSql, [mailbox]);
}

export function findPerson({ manager }: Managed, emailFolded: string): Promise<Person | null> {
  return manager.findOneBy(Person, { emailFolded });
}

/** The person with this address, added if there is none; not deleted until the end of the transaction. */
export async function findOrAddPerson(locked: LockedAccounts, emailFolded: string): Promise<Person> {
  const { manager, now: createdAt } = locked;
  await lockAddress(locked, emailFolded);
  const values = { id: uuidv7(), emailFolded, createdAt };
  await manager.createQueryBuilder().insert().into(Person).values(values).orIgnore().execute();
  return manager.findOneByOrFail(Person, { emailFolded });
}
