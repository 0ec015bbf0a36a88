import { type LedgerEntryView, type ListLedgerRequest, type Page } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { findAccount } from '../accounts/accounts.repository.js';
import { decodeCursor, encodeCursor, isRowNumber } from '../database/cursor.js';
import { reportsPool } from '../database/data-source.js';
import { autocommitQuery } from '../database/query.js';

type EntryRow = Omit<LedgerEntryView, 'at'> & { readonly at: Date };

/**
 * Newest first, served by `ledger_entries_of_account`. A pending charge past its time-out is void from that instant on,
 * whether or not the sweep has written it down.
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

/** The statement of an account: its ledger entries, page by page. */
@Injectable()
export class StatementsService {
  constructor(@InjectDataSource(reportsPool) private readonly reports: DataSource) {}

  /** Throws `not_found` without the account. */
  async list({ account_id, limit, cursor }: ListLedgerRequest): Promise<Page<LedgerEntryView>> {
    const query = autocommitQuery(this.reports);
    const [after] = cursor === undefined ? [null] : decodeCursor(cursor, [isRowNumber]);
    await findAccount(query, account_id);
    const rows = await query<EntryRow>(entriesSql, [account_id, limit + 1, after]);
    const page = rows.slice(0, limit).map((row) => ({ ...row, at: row.at.toISOString() }));
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { items: page, next_cursor: last ? encodeCursor([last.id]) : null };
  }
}
