import { type AuditReply, type AuditKind, type AuditState } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One hourly or full audit. Its row is also its claim: only one of a kind is running. */
@Entity('audits')
export class Audit {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: AuditKind;

  @Column('text', { default: 'running' })
  state: AuditState;

  @Column('timestamp with time zone', { name: 'started_at', precision: 3 })
  startedAt: Date;

  /** Prolonged by the replica that runs it; afterwards the replica counts as dead. */
  @Column('timestamp with time zone', { name: 'running_until', precision: 3 })
  runningUntil: Date;

  @Column('timestamp with time zone', { name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;

  /** The share that is done, 0 to 1. */
  @Column('real', { default: () => '0' })
  progress: number;

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
