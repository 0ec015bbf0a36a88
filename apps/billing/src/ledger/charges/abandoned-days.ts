import { type Queryable, type SqlStatement } from '#platform/database';
import { arraysOf } from '../../database/columns.js';
import { type AbandonedDay, freeEachDay, paidForOneMore } from '../rules/abandoned-calls.js';

/**
 * Counts on from where the day was counted last, so that each paid call is read about once, and no more of them than decide: the
 * calls that are missing for one more free one. What is older than the oldest pending call, and than a minute, is counted for good:
 * nothing is added to it. By `charges_of_account`, in the month of the day.
 */
const daysSql = `
  WITH clock AS MATERIALIZED (SELECT ledger_now() AS now, date_trunc('day', ledger_now(), 'UTC') AS day)
  SELECT asked.account_id AS "accountId", clock.day, known.free, known.paid + recent.calls AS paid, known.paid + recent.final AS counted,
    greatest(known.until, least(horizon.at,
      CASE WHEN recent.calls < known.missing THEN horizon.at
        ELSE coalesce(recent.last + interval '1 millisecond', known.until) END)) AS "countedUntil"
  FROM clock CROSS JOIN unnest($1::uuid[], $2::integer[]) AS asked (account_id, calls)
  LEFT JOIN abandoned_calls AS stored ON stored.account_id = asked.account_id AND stored.day = (clock.day AT TIME ZONE 'UTC')::date
  CROSS JOIN LATERAL (
    SELECT coalesce(stored.free, 0) AS free, coalesce(stored.paid, 0) AS paid, coalesce(stored.paid_until, clock.day) AS until,
      greatest((coalesce(stored.free, 0) + asked.calls - ${freeEachDay}) * ${paidForOneMore} - coalesce(stored.paid, 0), 0) AS missing
  ) AS known
  CROSS JOIN LATERAL (
    SELECT least(min(created_at), clock.now - interval '1 minute') AS at
    FROM charges WHERE charges.account_id = asked.account_id AND state = 'pending'
  ) AS horizon
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS calls, (count(*) FILTER (WHERE created_at < horizon.at))::integer AS final, max(created_at) AS last
    FROM (
      SELECT created_at FROM charges
      WHERE charges.account_id = asked.account_id AND state = 'posted' AND credits > 0
        AND created_at >= known.until AND created_at < clock.day + interval '1 day'
      ORDER BY created_at FETCH FIRST (known.missing) ROWS WITH TIES
    ) AS paid
  ) AS recent`;

/** The present day of each of these accounts, which are locked; one for each call of it that was abandoned. */
export async function loadAbandonedDays(
  { query }: Queryable,
  accountIds: readonly string[],
): Promise<Map<string, AbandonedDay>> {
  if (accountIds.length === 0) return new Map();
  const calls = new Map<string, number>();
  for (const id of accountIds) calls.set(id, (calls.get(id) ?? 0) + 1);
  const rows = await query<AbandonedDay>('select abandoned calls', daysSql, [
    [...calls.keys()],
    [...calls.values()],
  ]);
  return new Map(rows.map((day) => [day.accountId, day]));
}

const storeSql = `
  INSERT INTO abandoned_calls (account_id, day, free, paid, paid_until)
  SELECT account_id, (day AT TIME ZONE 'UTC')::date, free, paid, paid_until
  FROM unnest($1::uuid[], $2::timestamptz[], $3::integer[], $4::integer[], $5::timestamptz[])
    AS counted (account_id, day, free, paid, paid_until)
  ON CONFLICT (account_id, day) DO UPDATE
    SET free = excluded.free, paid = excluded.paid, paid_until = excluded.paid_until`;

/** The statement that stores them, if any. */
export function daysToStore(days: readonly AbandonedDay[]): SqlStatement[] {
  if (days.length === 0) return [];
  const parameters = arraysOf(days, 'accountId', 'day', 'free', 'counted', 'countedUntil');
  return [{ name: 'store abandoned calls', sql: storeSql, parameters }];
}
