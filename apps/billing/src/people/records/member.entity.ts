import { type MemberRole } from '#contracts';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Person } from './person.entity.js';

/** A person's membership of an account, and their role in it. */
@Entity('members')
export class Member {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('uuid', { name: 'person_id' })
  personId: string;

  @ManyToOne(() => Person)
  @JoinColumn({ name: 'person_id' })
  person: Person;

  @Column('text')
  role: MemberRole;

  @Column('timestamp with time zone', { name: 'added_at', precision: 3 })
  addedAt: Date;

  /** When one of their sessions last showed this account. */
  @Column('timestamp with time zone', { name: 'last_seen_at', precision: 3, nullable: true })
  lastSeenAt: Date | null;
}
