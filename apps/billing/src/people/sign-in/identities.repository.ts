import { type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { Identity } from './identity.entity.js';
import { Person } from '../records/person.entity.js';

/** A provider's own name for a person. */
export type IdentityName = Pick<Identity, 'issuer' | 'subject'>;

const lockSql = `SELECT pg_advisory_xact_lock(hashtextextended('identity ' || $1 || ' ' || $2, 0))`;

/** Identities of OpenID providers. They are bound and forgotten only under the lock of their person's address. */
@Injectable()
export class IdentitiesRepository {
  /** Until this transaction ends, no other one binds the identity. Comes before the lock of an address. */
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

  async markUsed({ manager, now }: LockedAccounts, { issuer, subject }: IdentityName): Promise<void> {
    await manager.update(Identity, { issuer, subject }, { lastUsedAt: now });
  }

  /** Forgets all identities of a person; resolves to their number. */
  async forget({ manager }: Managed, personId: string): Promise<number> {
    return (await manager.delete(Identity, { personId })).affected ?? 0;
  }
}
