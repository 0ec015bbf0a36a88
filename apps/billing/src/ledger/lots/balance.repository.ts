import { type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { overdueSql } from '../rules/ledger-state.js';

/**
 * The one definition of a balance: the credits in unexpired lots, plus the credits that overdue pending charges took from
 * them, because such a charge counts as voided whether or not the sweep has recorded it.
 */
const balancesSql = `
  WITH instant AS MATERIALIZED (SELECT COALESCE($2::timestamptz, ledger_now()) AS at)
  SELECT account_id, sum(credits)::float8 AS credits
  FROM (
    SELECT lots.account_id, lots.remaining AS credits
    FROM lots
    WHERE lots.account_id = ANY($1::uuid[]) AND lots.expires_at > (SELECT at FROM instant)
    UNION ALL
    SELECT charges.account_id, -entries.credits
    FROM charges
    JOIN ledger_entries AS entries ON entries.charge_id = charges.id AND entries.type = 'charge'
      AND entries.created_at = charges.created_at
    JOIN lots ON lots.id = entries.lot_id
    WHERE charges.account_id = ANY($1::uuid[])
      AND ${overdueSql('charges', '(SELECT at FROM instant)')}
      AND lots.expires_at > (SELECT at FROM instant)
  ) AS spendable
  GROUP BY account_id`;

/**
 * Balances. Hand-written: one statement for a whole page of accounts, so that all are of one instant, served by
 * `lots_of_account`, `charges_pending_of_account` and `ledger_entries_once_per_charge`.
 */
@Injectable()
export class BalanceRepository {
  /**
   * The balances of the accounts as of `at`; by default as of the database's clock. The result has every requested
   * account, with 0 for one without credits or that does not exist.
   */
  async balancesAt(
    { query }: Queryable,
    accountIds: readonly string[],
    at?: Date,
  ): Promise<Map<string, number>> {
    const rows = await query<{ account_id: string; credits: number }>('select balances', balancesSql, [
      accountIds,
      at ?? null,
    ]);
    const balances = new Map(accountIds.map((id) => [id, 0]));
    for (const row of rows) balances.set(row.account_id, row.credits);
    return balances;
  }

  /** The balance of one account; see `balancesAt`. */
  async balanceAt(on: Queryable, accountId: string, at?: Date): Promise<number> {
    const balances = await this.balancesAt(on, [accountId], at);
    return balances.get(accountId) ?? 0;
  }
}
