import { type MemberRole } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Lets an address become a member of an account, until it expires or is accepted, declined or revoked. */
@Entity('invitations')
export class Invitation {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text', { name: 'email_folded' })
  emailFolded: string;

  /** The mailbox that its mail counts for (`mailboxOf`). */
  @Column('text')
  mailbox: string;

  @Column('text')
  role: MemberRole;

  /** The owner who sent it. */
  @Column('uuid', { name: 'invited_by' })
  invitedBy: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  /** When it was accepted, declined or revoked; the row stays, because its mail counts for a day. */
  @Column('timestamp with time zone', { name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;
}
