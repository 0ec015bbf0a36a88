import { type MemberRole, ServiceError } from '@app/contracts';
import { type Managed } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { Member } from './member.entity.js';

/** Who names a member: both ids together, so that nobody reaches members of another account. */
export interface MemberOfAccount {
  readonly accountId: string;
  readonly personId: string;
}

/** For sessions, which are begun without the lock of the account: a removal waits, and then ends them. */
const removalWaits = { mode: 'for_key_share' } as const;

/** The members of accounts. Every change is made under the lock of the account. */
@Injectable()
export class MembersRepository {
  /** Owners first, then by address. */
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
    if (!found) throw new ServiceError('not_found', 'The account has no such member.');
    return found;
  }

  findByEmail({ manager }: Managed, accountId: string, emailFolded: string): Promise<Member | null> {
    return manager.findOne(Member, {
      where: { accountId, person: { emailFolded } },
      relations: { person: true },
    });
  }

  isMemberAnywhere({ manager }: Managed, personId: string): Promise<boolean> {
    return manager.existsBy(Member, { personId });
  }

  /** Of the accounts of a person the one that they used last, or were added to first; it stays theirs until the end of the transaction. */
  findLastSeen({ manager }: Managed, personId: string): Promise<Member | null> {
    return manager.findOne(Member, {
      where: { personId },
      order: { lastSeenAt: { direction: 'DESC', nulls: 'LAST' }, addedAt: 'ASC', accountId: 'ASC' },
      lock: removalWaits,
    });
  }

  /** A member who stays one until the end of the transaction. */
  findToStay({ manager }: Managed, { accountId, personId }: MemberOfAccount): Promise<Member | null> {
    return manager.findOne(Member, { where: { accountId, personId }, lock: removalWaits });
  }

  /** Owners who get mail about the account: they have signed in to it, so the address is theirs and they know of it. */
  ownersToNotify({ manager }: Managed, accountId: string): Promise<Member[]> {
    return manager.findBy(Member, { accountId, role: 'owner', lastSeenAt: Not(IsNull()) });
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

  async changeRole(
    { manager }: Managed,
    { accountId, personId }: MemberOfAccount,
    role: MemberRole,
  ): Promise<void> {
    await manager.update(Member, { accountId, personId }, { role });
  }

  async remove({ manager }: Managed, { accountId, personId }: MemberOfAccount): Promise<void> {
    await manager.delete(Member, { accountId, personId });
  }
}
