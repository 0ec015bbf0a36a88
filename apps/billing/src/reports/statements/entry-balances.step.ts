import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../schedule/sweep.service.js';

/** For an account with millions of charges between two other entries; most take milliseconds. */
const timeoutMs = 60_000;
/** Hours are taken together as long as that is quick, so that years with few entries take few statements. */
const quickMs = 250;
const hoursMax = 31 * 24;

/**
 * The next hours, at most `$1`, of those that ended at least a day ago: a clock that is put back writes nothing into them. The first one
 * is that of the first account (`accounts_page`), and months that are archived are left out.
 */
const dueSql = `
  SELECT since, least(since + $1 * interval '1 hour', closed) AS until
  FROM (
    SELECT greatest(first, ledger_online_since()) AS since,
      date_trunc('hour', ledger_now() - interval '1 day', 'UTC') AS closed
    FROM (
      SELECT coalesce(
        (SELECT balanced_until FROM entry_balances_cursor),
        (SELECT date_trunc('hour', min(created_at), 'UTC') FROM accounts)
      ) AS first
    ) AS known
    WHERE first IS NOT NULL
  ) AS next
  WHERE since < closed`;

/**
 * `ledger_entries_by_time` finds the accounts. Each goes on from its last balance or, without one, from what is archived, by
 * `ledger_entries_pk`, so that an entry is read once. Replicas that do the same at once write the same.
 */
const balanceSql = `
  WITH active AS (
    SELECT account_id, max(created_at) AS last FROM ledger_entries
    WHERE created_at >= $1 AND created_at < $2 AND type <> 'charge'
    GROUP BY account_id
  ), balanced AS (
    INSERT INTO entry_balances (account_id, created_at, entry_id, balance_after)
    SELECT active.account_id, entries.created_at, entries.id, coalesce(former.balance_after, carried.credits, 0) + entries.credits
    FROM active
    LEFT JOIN LATERAL (
      SELECT created_at, entry_id, balance_after FROM entry_balances
      WHERE account_id = active.account_id AND created_at >= (SELECT ledger_online_since()) AND created_at < $1
      ORDER BY created_at DESC, entry_id DESC LIMIT 1
    ) AS former ON true
    LEFT JOIN LATERAL (
      SELECT sum(credits) AS credits FROM carried_lots WHERE account_id = active.account_id
    ) AS carried ON true
    CROSS JOIN LATERAL (
      SELECT created_at, id, type, sum(credits) OVER (ORDER BY created_at, id) AS credits FROM ledger_entries
      WHERE account_id = active.account_id AND created_at <= active.last
        AND created_at >= coalesce(former.created_at, (SELECT ledger_online_since()))
        AND (former.entry_id IS NULL OR (created_at, id) > (former.created_at, former.entry_id))
    ) AS entries
    WHERE type <> 'charge'
    ON CONFLICT ON CONSTRAINT entry_balances_pk DO NOTHING
  )
  INSERT INTO entry_balances_cursor AS known (balanced_until) VALUES ($2)
  ON CONFLICT ON CONSTRAINT entry_balances_cursor_pk
    DO UPDATE SET balanced_until = greatest(known.balanced_until, excluded.balanced_until)`;

/**
 * Adds the balance after each entry that is no charge, so that a statement of one type need not add up all charges in between. Any
 * balance may be missing, and is then summed as before: what is older than the table is added without haste.
 */
@Injectable()
export class EntryBalancesStep implements SweepStep {
  readonly name = 'entry balances';
  private hours = 1;

  constructor(private readonly database: TransactionRunner) {}

  async run(): Promise<number> {
    const { hours } = this;
    this.hours = 1;
    const [due] = await this.database.query<{ since: Date; until: Date }>('select hours to balance', dueSql, [
      hours,
    ]);
    if (!due) return 0;
    const startedAt = performance.now();
    await this.database.run(({ query }) => query('add balances', balanceSql, [due.since, due.until]), {
      statementTimeoutMs: timeoutMs,
      answerTimeoutMs: timeoutMs,
    });
    const isQuick = performance.now() - startedAt < quickMs;
    this.hours = isQuick ? Math.min(hours * 2, hoursMax) : Math.max(1, Math.floor(hours / 2));
    return 1;
  }
}
