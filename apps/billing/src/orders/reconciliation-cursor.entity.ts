import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the events of Stripe have been read: one row. */
@Entity('reconciliation_cursor')
export class ReconciliationCursor {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;

  /** Of the key that it was read with; `null`: never. */
  @Column('text', { name: 'key_hash', nullable: true })
  keyHash: string | null;

  @Column('timestamp with time zone', { name: 'read_until', precision: 3, nullable: true })
  readUntil: Date | null;
}
