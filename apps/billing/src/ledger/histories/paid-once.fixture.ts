import { type TestQuery } from '../ledger.fixture.js';

/** Of each two charges of an API key that were paid under one `Idempotency-Key` within 15 minutes: the later one. */
const paidTwiceSql = `
  SELECT later.id
  FROM charges AS later
  JOIN charges AS earlier USING (key_id, idempotency_key_hash)
  WHERE later.state IN ('pending', 'posted') AND earlier.state IN ('pending', 'posted')
    AND later.created_at >= earlier.created_at AND later.created_at < earlier.created_at + interval '15 minutes'
    AND later.id <> earlier.id`;

/** Repetitions that took something, or of nothing that the same API key paid within the 15 minutes before. */
const unfoundedSql = `
  SELECT repetition.id
  FROM charges AS repetition
  LEFT JOIN charges AS paid
    ON paid.id = repetition.repeat_of AND paid.key_id = repetition.key_id AND paid.state = 'posted' AND paid.credits > 0
      AND repetition.created_at < paid.created_at + interval '15 minutes'
  WHERE repetition.repeat_of IS NOT NULL AND (
    paid.id IS NULL OR repetition.credits <> 0
    OR EXISTS (SELECT FROM ledger_entries WHERE charge_id = repetition.id)
  )`;

/** Fails when a call was paid twice under an `Idempotency-Key`, or free without having been paid; returns how many were free. */
export async function expectPaidOnce(query: TestQuery): Promise<number> {
  const [paidTwice, unfounded] = [await query(paidTwiceSql), await query(unfoundedSql)];
  expect({ paidTwice, unfounded }).toEqual({ paidTwice: [], unfounded: [] });
  const [row] = await query<{ repetitions: number }>(
    'SELECT count(*)::integer AS repetitions FROM charges WHERE repeat_of IS NOT NULL',
  );
  return row?.repetitions ?? 0;
}
