import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A change by an operator, in the names of `AdminLogEntry`. A trigger refuses every other change of the row than to erase personal data. */
@Entity('admin_log')
export class AdminLogRow {
  /** UUIDv7: ascending with time. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'admin_log_pk' })
  id: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'clock_timestamp()' })
  at: Date;

  /** `null`: `ADMIN_TOKEN`. */
  @Column('uuid', { nullable: true })
  token_id: string | null;

  @Column('text', { name: 'token_name' })
  token: string;

  @Column('text')
  action: string;

  @Column('text')
  request_id: string;

  @Column('uuid', { nullable: true })
  account_id: string | null;

  @Column('text')
  subject: string;

  @Column('jsonb', { nullable: true })
  before: object | null;

  @Column('jsonb', { nullable: true })
  after: object | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  erased_at: Date | null;
}
