import { type SessionMethod } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A browser in which a person is signed in. It shows one of their accounts at a time. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid')
  id: string;

  /** SHA-256 of the token in the browser's cookie. */
  @Column('text', { name: 'token_hash' })
  tokenHash: string;

  @Column('uuid', { name: 'person_id' })
  personId: string;

  /** The account that it shows; `null` if the person has none. */
  @Column('uuid', { name: 'account_id', nullable: true })
  accountId: string | null;

  @Column('text')
  network: string;

  @Column('text', { name: 'user_agent' })
  userAgent: string;

  @Column('timestamp with time zone', { name: 'signed_in_at', precision: 3 })
  signedInAt: Date;

  @Column('timestamp with time zone', { name: 'last_seen_at', precision: 3 })
  lastSeenAt: Date;

  /** When it ends; ending a session sets this to the present. */
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column('text')
  method: SessionMethod;

  /** `false`: the provider gave another address for the person, so theirs may belong to someone else now. */
  @Column('boolean', { name: 'is_address_proven', default: true })
  isAddressProven: boolean;
}
