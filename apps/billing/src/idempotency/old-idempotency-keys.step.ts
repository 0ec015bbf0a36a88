import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { deleteBatch } from '../sweep-steps/delete-batch.js';
import { type SweepStep } from '../sweep-steps/sweep-step.js';

/** Served by `idempotency_keys_age`. */
const deleteSql = `
  WITH deleted AS (
    DELETE FROM idempotency_keys
    WHERE (scope, key_hash) IN (
      SELECT scope, key_hash FROM idempotency_keys
      WHERE answered_at <= (SELECT ledger_now()) - interval '24 hours'
      ORDER BY answered_at LIMIT $1
    )
    RETURNING 1
  )
  SELECT count(*)::integer AS deleted FROM deleted`;

/** Forgets what was made under an Idempotency-Key 24 h after its caller was last answered. */
@Injectable()
export class OldIdempotencyKeysStep implements SweepStep {
  readonly name = 'old idempotency keys';

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  run(batchSize: number): Promise<number> {
    return deleteBatch(this.dataSource, deleteSql, batchSize);
  }
}
