import { type ReceivedInvitation } from '#contracts';
import { type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { dayMs } from '../../durations.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { Invitation } from './invitation.entity.js';

/** An invitation can be accepted for this long. */
export const invitationForMs = 14 * dayMs;

const listMax = 50;

/** Served by `invitations_of_address`. */
const receivedSql = `
  SELECT invitations.id, accounts.name AS account_name, role, people.email_folded AS invited_by, expires_at
  FROM invitations
  JOIN accounts ON accounts.id = invitations.account_id
  LEFT JOIN people ON people.id = invitations.invited_by
  WHERE invitations.email_folded = $1 AND ended_at IS NULL AND expires_at > ledger_now()
  ORDER BY invitations.created_at, invitations.id LIMIT ${listMax}`;

/** Served by `invitations_of_address`; $2 is one account, or `NULL` for all. */
const isWaitingSql = `
  SELECT FROM invitations
  WHERE email_folded = $1 AND ended_at IS NULL AND expires_at > ledger_now() AND ($2::uuid IS NULL OR account_id = $2)
  LIMIT 1`;

/** Invitations to accounts. They are changed only under the lock of their account. */
@Injectable()
export class InvitationsRepository {
  find({ manager }: Managed, id: string): Promise<Invitation | null> {
    return manager.findOneBy(Invitation, { id });
  }

  /** Newest first. */
  ofAccount({ manager }: Managed, accountId: string, now: Date): Promise<Invitation[]> {
    return manager.find(Invitation, {
      where: { accountId, endedAt: IsNull(), expiresAt: MoreThan(now) },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  }

  /** Open invitations to an address, oldest first. */
  async received({ query }: Queryable, emailFolded: string): Promise<ReceivedInvitation[]> {
    type Row = Omit<ReceivedInvitation, 'expires_at'> & { readonly expires_at: Date };
    const rows = await query<Row>('select invitations', receivedSql, [emailFolded]);
    return rows.map((row) => ({ ...row, expires_at: row.expires_at.toISOString() }));
  }

  /** Whether the address has an open invitation, to this account or to any. */
  async isWaiting({ query }: Queryable, emailFolded: string, accountId: string | null): Promise<boolean> {
    return (await query('find invitation', isWaitingSql, [emailFolded, accountId])).length > 0;
  }

  /** Ends an invitation that is open, or those that an owner has sent, together with their membership. */
  async end(
    { manager, now }: LockedAccounts,
    which: Pick<Invitation, 'id'> | Pick<Invitation, 'accountId' | 'invitedBy'>,
  ): Promise<void> {
    await manager.update(Invitation, { ...which, endedAt: IsNull() }, { endedAt: now });
  }
}
