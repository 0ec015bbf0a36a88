import { type Discrepancy, type DiscrepancyKind } from '@app/contracts';
import { type Queryable } from '@app/platform/database';
import { Injectable } from '@nestjs/common';

/** One rule of the ledger: a query that returns each breach as account_id, lot_id, charge_id, expected, found. */
export interface Check {
  readonly kind: DiscrepancyKind;
  /** `$1`: the most rows wanted. */
  readonly sql: string;
}

interface Totals {
  readonly now: Date;
  readonly accounts: number;
  readonly lots: number;
  readonly entries: number;
}

const totalsSql = `
  SELECT ledger_now() AS now,
    (SELECT count(*) FROM accounts)::float8 AS accounts,
    (SELECT count(*) FROM lots)::float8 AS lots,
    (SELECT count(*) FROM ledger_entries)::float8 AS entries`;

/** The audit's queries. Hand-written: each check is one statement over whole tables, which no index would speed up. */
@Injectable()
export class AuditRepository {
  /** The instant of the audit and the row counts at it; the first query of its transaction. */
  async totals({ query }: Queryable): Promise<Totals> {
    await query('set audit memory', `SET LOCAL work_mem = '64MB'`);
    const [totals] = await query<Totals>('count ledger rows', totalsSql);
    if (!totals) throw new Error('the totals gave no row');
    return totals;
  }

  /** The breaches of a rule, up to the limit in its first parameter. */
  async breaches({ query }: Queryable, { kind, sql }: Check, parameters: unknown[]): Promise<Discrepancy[]> {
    const rows = await query<Omit<Discrepancy, 'kind'>>(`audit ${kind}` as const, sql, parameters);
    return rows.map((row) => ({ kind, ...row }));
  }
}
