import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A change by an operator. A trigger refuses every other change of the row than to erase personal data. */
@Entity('admin_log')
export class AdminLogRow {
  /** UUIDv7: ascending with time. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'admin_log_pk' })
  id: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'clock_timestamp()' })
  at: Date;

  /** `null`: `ADMIN_TOKEN`. */
  @Column('uuid', { name: 'token_id', nullable: true })
  tokenId: string | null;

  @Column('text', { name: 'token_name' })
  tokenName: string;

  @Column('text')
  action: string;

  @Column('text', { name: 'request_id' })
  requestId: string;

  @Column('uuid', { name: 'account_id', nullable: true })
  accountId: string | null;

  @Column('text')
  subject: string;

  @Column('jsonb', { nullable: true })
  before: object | null;

  @Column('jsonb', { nullable: true })
  after: object | null;

  @Column('timestamp with time zone', { name: 'erased_at', precision: 3, nullable: true })
  erasedAt: Date | null;
}
