import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { deleteBatch } from '../sweep-steps/delete-batch.js';
import { type SweepStep } from '../sweep-steps/sweep-step.js';

const deleteSql = `
  WITH deleted AS (
    DELETE FROM charge_tombstones
    WHERE charge_id IN (
      SELECT charge_id FROM charge_tombstones
      WHERE created_at <= (SELECT ledger_now()) - interval '24 hours'
      ORDER BY created_at LIMIT $1
    )
    RETURNING charge_id
  )
  SELECT count(*)::integer AS deleted FROM deleted`;

/** Forgets the tombstones of charges that can't arrive any more: a message lives for seconds, a tombstone for 24 h. */
@Injectable()
export class OldTombstonesStep implements SweepStep {
  readonly name = 'old tombstones';

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  run(batchSize: number): Promise<number> {
    return deleteBatch(this.dataSource, deleteSql, batchSize);
  }
}
