import { type LedgerEntryView } from '@app/contracts';
import { type Queryable } from '@app/platform';
import { Injectable } from '@nestjs/common';

type EntryRow = Omit<LedgerEntryView, 'at'> & { readonly at: Date };

/**
 * Hand-written: one statement over four tables, whose state of a charge is as of the clock of the database. Served by
 * `ledger_entries_of_account`. A pending charge past its time-out is void from that instant on, whether or not the
 * sweep has recorded it.
 */
const entriesSql = `
  SELECT entries.id::text, entries.created_at AS at, entries.type, entries.credits, entries.lot_id, entries.charge_id,
    charges.request_id, charges.operation, charges.key_id,
    CASE WHEN charges.state = 'pending' AND charges.pending_until <= (SELECT ledger_now())
      THEN 'voided' ELSE charges.state END AS state,
    CASE WHEN entries.type = 'purchase' THEN lots.reference ELSE adjustments.reference END AS reference, adjustments.reason
  FROM ledger_entries AS entries JOIN lots ON lots.id = entries.lot_id
    LEFT JOIN charges ON charges.id = entries.charge_id
    LEFT JOIN adjustments ON adjustments.id = entries.adjustment_id
  WHERE entries.account_id = $1 AND ($3::bigint IS NULL OR entries.id < $3)
  ORDER BY entries.id DESC LIMIT $2`;

/** Ledger entries as shown in statements. */
@Injectable()
export class StatementsRepository {
  /** Newest first, at most `limit` before the entry `after`. */
  entries({ query }: Queryable, accountId: string, limit: number, after: string | null): Promise<EntryRow[]> {
    return query<EntryRow>('select ledger entries', entriesSql, [accountId, limit, after]);
  }
}
