import { type AdminRole } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A token of the admin API. A withdrawn one is kept: the log names it. */
@Entity('admin_tokens')
export class AdminToken {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  role: AdminRole;

  @Column('text')
  hash: string;

  @Column('text')
  prefix: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Written at most once a minute. */
  @Column('timestamp with time zone', { name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamp with time zone', { name: 'withdrawn_at', precision: 3, nullable: true })
  withdrawnAt: Date | null;
}
