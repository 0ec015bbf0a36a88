import { type AuditReply } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What is new, or everything. */
export type AuditKind = 'hourly' | 'full';

/** One audit that has ended. */
@Entity('audits')
export class Audit {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: AuditKind;

  @Column('timestamp with time zone', { name: 'ended_at', precision: 3 })
  endedAt: Date;

  /** The next hourly audit goes on here. */
  @Column('timestamp with time zone', { name: 'audited_until', precision: 3, nullable: true })
  auditedUntil: Date | null;

  @Column('jsonb', { nullable: true })
  result: AuditReply | null;

  /** Why it failed. */
  @Column('text', { nullable: true })
  problem: string | null;
}

/** What a lot holds by its entries until the last hourly audit that is done; not 0. */
@Entity('audit_checkpoints')
export class AuditCheckpoint {
  @PrimaryColumn('uuid', { name: 'lot_id' })
  lotId: string;

  @Column('integer')
  credits: number;
}
