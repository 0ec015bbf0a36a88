import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person who was erased, by the hash of their address: whom to erase again after a backup was restored. */
@Entity('erasures')
export class Erasure {
  @PrimaryColumn('text', { name: 'email_hash' })
  emailHash: string;

  /** The last time. */
  @Column('timestamp with time zone', { name: 'erased_at', precision: 3 })
  erasedAt: Date;

  /** Whether accounts whose last owner they were have been closed. */
  @Column('boolean', { name: 'close_accounts' })
  closeAccounts: boolean;
}
