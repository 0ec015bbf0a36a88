import { gauge } from '@app/platform';
import { type DataSource } from 'typeorm';
import { readingFrom } from '../database/query.js';

/** Shows what is taken and not settled yet, through the partial index of the pending charges; every replica shows the same. */
export function observePendingCharges(dataSource: DataSource): void {
  const ofPending = async (value: string): Promise<number | undefined> => {
    const sql = `SELECT (${value})::float8 AS value FROM charges WHERE state = 'pending'`;
    const [row] = await readingFrom(dataSource)<{ value: number }>(sql);
    return row?.value;
  };
  gauge('pending_charges', 'Charges that are neither posted nor voided yet.', () => ofPending('count(*)'));
  gauge('pending_charge_oldest_age_seconds', 'Age of the oldest pending charge.', () =>
    ofPending('coalesce(extract(epoch FROM ledger_now() - min(created_at)), 0)'),
  );
}
