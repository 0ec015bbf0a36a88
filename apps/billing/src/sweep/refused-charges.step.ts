import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { deleteBatch } from '../sweep-steps/delete-batch.js';
import { type SweepStep } from '../sweep-steps/sweep-step.js';

/** Served by `charges_refused`. */
const deleteSql = `
  WITH deleted AS (
    DELETE FROM charges
    WHERE id IN (
      SELECT id FROM charges
      WHERE state = 'refused' AND created_at <= (SELECT ledger_now()) - interval '60 seconds'
      ORDER BY created_at LIMIT $1
    )
    RETURNING id
  )
  SELECT count(*)::integer AS deleted FROM deleted`;

/**
 * Forgets refused charges: they took nothing and never will. Each is remembered for 60 s, because its message may come
 * twice within 5 s and has to be answered alike. No account is locked: nothing changes a refused charge.
 */
@Injectable()
export class RefusedChargesStep implements SweepStep {
  readonly name = 'refused charges';

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  run(batchSize: number): Promise<number> {
    return deleteBatch(this.dataSource, deleteSql, batchSize);
  }
}
