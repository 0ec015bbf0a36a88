import { TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../schedule/tasks/sweep-step.js';

/** Served by `notices_age`; deliveries go with their notice. */
const deleteOldSql = `
  WITH deleted AS (
    DELETE FROM notices
    WHERE id IN (
      SELECT id FROM notices
      WHERE created_at <= (SELECT ledger_now()) - interval '90 days' ORDER BY created_at LIMIT $1
    )
    RETURNING 1
  )
  SELECT count(*)::integer AS deleted FROM deleted`;

/** Deletes notices after 90 days: by then, the same notice can no longer be due. */
@Injectable()
export class OldNoticesStep implements SweepStep {
  readonly name = 'old notices';

  constructor(private readonly database: TransactionRunner) {}

  async run(batchSize: number): Promise<number> {
    const [row] = await this.database.query<{ deleted: number }>('delete notices', deleteOldSql, [batchSize]);
    return row?.deleted ?? 0;
  }
}
