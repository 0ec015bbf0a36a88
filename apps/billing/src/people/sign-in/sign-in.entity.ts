import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An attempt to sign in with an address: by the link and the code of a mail, or by an operator's link, which has no code. Only
 * hashes of its secrets are stored.
 */
@Entity('sign_ins')
export class SignIn {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { name: 'email_folded' })
  emailFolded: string;

  /** SHA-256 of the token in the link. */
  @Column('text', { name: 'link_hash' })
  linkHash: string;

  /** HMAC of the code; its key comes from the browser and is stored nowhere. */
  @Column('text', { name: 'code_hash', nullable: true })
  codeHash: string | null;

  /** SHA-256 of that key. */
  @Column('text', { name: 'browser_digest', nullable: true })
  browserDigest: string | null;

  /** The account of an operator's link. */
  @Column('uuid', { name: 'account_id', nullable: true })
  accountId: string | null;

  /** Wrong codes. */
  @Column('integer', { default: 0 })
  attempts: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column('timestamp with time zone', { name: 'used_at', precision: 3, nullable: true })
  usedAt: Date | null;

  /** The mailbox that its mail counts for (`mailboxOf`); `null` without a mail. */
  @Column('text', { nullable: true })
  mailbox: string | null;

  /** Who wants this address instead of theirs: its code opens no session. `null`: it is to sign in. */
  @Column('uuid', { name: 'person_id', nullable: true })
  personId: string | null;
}
