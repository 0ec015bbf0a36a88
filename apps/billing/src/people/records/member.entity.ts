import { type MemberRole } from '@app/contracts';
import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Person } from './person.entity.js';

const primaryKeyConstraintName = 'members_pk';

/** A person's membership of an account, and their role in it. */
@Entity('members')
@Check('members_role_known', `role IN ('owner', 'member')`)
@Index('members_of_person', ['personId'])
export class Member {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName })
  @ForeignKey('accounts', { name: 'members_account_fk' })
  accountId: string;

  @PrimaryColumn('uuid', { name: 'person_id', primaryKeyConstraintName })
  personId: string;

  @ManyToOne(() => Person)
  @JoinColumn({ name: 'person_id', foreignKeyConstraintName: 'members_person_fk' })
  person: Person;

  @Column('text')
  role: MemberRole;

  @Column('timestamp with time zone', { name: 'added_at', precision: 3 })
  addedAt: Date;

  /** When a session of theirs was last seen in this account. */
  @Column('timestamp with time zone', { name: 'last_seen_at', precision: 3, nullable: true })
  lastSeenAt: Date | null;
}
