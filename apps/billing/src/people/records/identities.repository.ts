import { type Managed, type Queryable } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { Identity } from './identity.entity.js';
import { Person } from './person.entity.js';

/** Whom a provider means, by its own name for them. */
export type IdentityName = Pick<Identity, 'issuer' | 'subject'>;

const lockSql = `SELECT pg_advisory_xact_lock(hashtextextended('identity ' || $1 || ' ' || $2, 0))`;

/** Identities of OpenID providers. They are bound and forgotten under the lock of their person's address. */
@Injectable()
export class IdentitiesRepository {
  /**
   * Until the end of the transaction nothing else binds the identity. Comes after the lock of an account and before that of an
   * address.
   */
  async lock({ query }: Queryable, { issuer, subject }: IdentityName): Promise<void> {
    await query('lock identity', lockSql, [issuer, subject]);
  }

  async findPerson({ manager }: Managed, { issuer, subject }: IdentityName): Promise<Person | null> {
    const identity = await manager.findOneBy(Identity, { issuer, subject });
    return identity && manager.findOneBy(Person, { id: identity.personId });
  }

  /** Whether the person has an identity of this issuer. */
  isBound({ manager }: Managed, personId: string, issuer: string): Promise<boolean> {
    return manager.existsBy(Identity, { personId, issuer });
  }

  async bind({ manager, now }: LockedAccounts, name: IdentityName, personId: string): Promise<void> {
    await manager.insert(Identity, { ...name, personId, boundAt: now, lastUsedAt: now });
  }

  async noteUsed({ manager, now }: LockedAccounts, { issuer, subject }: IdentityName): Promise<void> {
    await manager.update(Identity, { issuer, subject }, { lastUsedAt: now });
  }

  /** All of a person's; resolves to their number. */
  async forget({ manager }: Managed, personId: string): Promise<number> {
    return (await manager.delete(Identity, { personId })).affected ?? 0;
  }
}
