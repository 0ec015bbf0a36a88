import {
  type LedgerEntryView,
  type ListLedgerRequest,
  type ListStatementRequest,
  type Page,
  type StatementEntry,
} from '@app/contracts';
import { InjectTransactionRunner, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { decodeCursor, encodeCursor, isRowNumber } from '../database/cursor.js';
import { reportsPool } from '../database/data-source.js';
import { StatementsRepository } from './statements.repository.js';

/** The statement of an account: its ledger entries, page by page. */
@Injectable()
export class StatementsService {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly statements: StatementsRepository,
  ) {}

  /** Throws `not_found` without the account. */
  list({ account_id, limit, cursor }: ListLedgerRequest): Promise<Page<LedgerEntryView>> {
    return this.page(account_id, limit, cursor, (rows, after) =>
      this.statements.entries(this.reports, account_id, rows, after),
    );
  }

  /** The same with the balance after each entry. */
  listWithBalances({ account_id, limit, cursor, type }: ListStatementRequest): Promise<Page<StatementEntry>> {
    return this.page(account_id, limit, cursor, (rows, after) =>
      this.statements.entriesWithBalances(this.reports, account_id, rows, after, type ?? null),
    );
  }

  private async page<Entry extends { readonly id: string; readonly at: Date }>(
    accountId: string,
    limit: number,
    cursor: string | undefined,
    read: (rows: number, after: string | null) => Promise<Entry[]>,
  ): Promise<Page<Omit<Entry, 'at'> & { readonly at: string }>> {
    const [after] = cursor === undefined ? [null] : decodeCursor(cursor, [isRowNumber]);
    await this.accounts.get(this.reports, accountId);
    const rows = await read(limit + 1, after ?? null);
    const page = rows.slice(0, limit).map((row) => ({ ...row, at: row.at.toISOString() }));
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { items: page, next_cursor: last ? encodeCursor([last.id]) : null };
  }
}
