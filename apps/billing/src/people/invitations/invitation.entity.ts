import { type MemberRole } from '@app/contracts';
import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Person } from '../records/person.entity.js';

/** Lets an address become a member of an account, until it expires or is accepted, declined or revoked. */
@Entity('invitations')
@Check('invitations_role_known', `role IN ('owner', 'member')`)
@Index('invitations_open', ['accountId', 'emailFolded'], { unique: true, where: 'ended_at IS NULL' })
@Index('invitations_of_address', ['emailFolded'], { where: 'ended_at IS NULL' })
@Index('invitations_of_account', ['accountId', 'createdAt'])
@Index('invitations_of_mailbox', ['mailbox', 'createdAt'])
@Index('invitations_of_inviter', ['invitedBy'])
@Index('invitations_age', ['createdAt'])
export class Invitation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitations_pk' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey('accounts', { name: 'invitations_account_fk' })
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

  @ManyToOne(() => Person)
  @JoinColumn({ name: 'invited_by', foreignKeyConstraintName: 'invitations_person_fk' })
  inviter: Person;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  /** When it was accepted, declined or revoked; the row stays, because its mail counts for a day. */
  @Column('timestamp with time zone', { name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;
}
