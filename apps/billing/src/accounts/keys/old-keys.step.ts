import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../schedule/sweep.service.js';

/**
 * Hand-written: a batch by the clock of the database, served by `api_keys_deleted` and `charges_of_key`. A key whose oldest
 * charge took credits is named by it for good: it is marked, so that no sweep looks at it again. One whose oldest charge is a
 * free one waits until that has been deleted.
 */
const deleteOldSql = `
  WITH old AS (
    SELECT id, (SELECT credits FROM charges WHERE key_id = api_keys.id ORDER BY created_at LIMIT 1) AS oldest
    FROM api_keys
    WHERE deleted_at IS NOT NULL AND NOT is_kept AND deleted_at <= (SELECT ledger_now()) - interval '90 days'
    ORDER BY deleted_at LIMIT $1
  ), kept AS (
    UPDATE api_keys SET is_kept = true FROM old WHERE api_keys.id = old.id AND oldest > 0 RETURNING 1
  ), deleted AS (
    DELETE FROM api_keys USING old WHERE api_keys.id = old.id AND oldest IS NULL RETURNING 1
  )
  SELECT (SELECT count(*) FROM kept)::integer + (SELECT count(*) FROM deleted)::integer AS done`;

/** Deletes the keys that were deleted 90 days ago and that no charge names: they never took credits. */
@Injectable()
export class OldKeysStep implements SweepStep {
  readonly name = 'old keys';

  constructor(private readonly database: TransactionRunner) {}

  async run(batchSize: number): Promise<number> {
    const [row] = await this.database.query<{ done: number }>('delete old keys', deleteOldSql, [batchSize]);
    return row?.done ?? 0;
  }
}
