import { type MemberRole } from '#contracts';
import { type Managed } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { notFound } from '../../errors.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { Member } from './member.entity.js';
import { findOrAddPerson, requireEmail } from './people.js';

/** Members and open invitations of an account. */
export const membersMax = 50;

/** Names a member by both ids, so that no request reaches members of another account. */
export type MemberOfAccount = Pick<Member, 'accountId' | 'personId'>;

/** For sessions, which begin without the account's lock: a removal waits for them, then ends them. */
const lockAgainstRemoval = { mode: 'for_key_share' } as const;

/** The members of accounts. Every change is made under the lock of the account. */
@Injectable()
export class MembersRepository {
  /** The members of an account, owners first, then by address. */
  ofAccount({ manager }: Managed, accountId: string): Promise<Member[]> {
    return manager.find(Member, {
      where: { accountId },
      relations: { person: true },
      // "owner" comes after "member" in the alphabet.
      order: { role: 'DESC', person: { emailFolded: 'ASC' } },
    });
  }

  find({ manager }: Managed, { accountId, personId }: MemberOfAccount): Promise<Member | null> {
    return manager.findOne(Member, { where: { accountId, personId }, relations: { person: true } });
  }

  /** Throws `not_found`. */
  async get(on: Managed, member: MemberOfAccount): Promise<Member> {
    const found = await this.find(on, member);
    if (!found) throw notFound('The account has no such member.');
    return found;
  }

  findByEmail({ manager }: Managed, accountId: string, emailFolded: string): Promise<Member | null> {
    return manager.findOne(Member, {
      where: { accountId, person: { emailFolded } },
      relations: { person: true },
    });
  }

  /** The membership of the account that the person used last, or else joined first. It lasts until the end of the transaction. */
  findLastSeen({ manager }: Managed, personId: string): Promise<Member | null> {
    return manager.findOne(Member, {
      where: { personId },
      order: { lastSeenAt: { direction: 'DESC', nulls: 'LAST' }, addedAt: 'ASC', accountId: 'ASC' },
      lock: lockAgainstRemoval,
    });
  }

  /** The member stays one until the end of the transaction. */
  findForShare({ manager }: Managed, { accountId, personId }: MemberOfAccount): Promise<Member | null> {
    return manager.findOne(Member, { where: { accountId, personId }, lock: lockAgainstRemoval });
  }

  /** Owners who get mail about the account: they have signed in to it, so the address is theirs and they expect mail. */
  ownersToNotify({ manager }: Managed, accountId: string): Promise<Member[]> {
    return manager.find(Member, {
      where: { accountId, role: 'owner', lastSeenAt: Not(IsNull()) },
      relations: { person: true },
    });
  }

  /** The oldest owner of an account. */
  firstOwner({ manager }: Managed, accountId: string): Promise<Member | null> {
    return manager.findOne(Member, {
      where: { accountId, role: 'owner' },
      relations: { person: true },
      order: { addedAt: 'ASC', personId: 'ASC' },
    });
  }

  count({ manager }: Managed, accountId: string, role?: MemberRole): Promise<number> {
    return manager.countBy(Member, { accountId, ...(role === undefined ? {} : { role }) });
  }

  async insert(
    { manager, now }: LockedAccounts,
    member: MemberOfAccount & Pick<Member, 'role'>,
  ): Promise<void> {
    await manager.insert(Member, { ...member, addedAt: now });
  }

  /** Makes the address of a new account its owner. */
  async addFirstOwner(locked: LockedAccounts, accountId: string, email: string): Promise<void> {
    const { id: personId } = await findOrAddPerson(locked, requireEmail(email));
    await this.insert(locked, { accountId, personId, role: 'owner' });
  }
}
