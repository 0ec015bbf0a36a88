import { type LedgerEntryView, type ListLedgerRequest, type Page } from '@app/contracts';
import { InjectTransactionRunner, TransactionRunner } from '@app/platform';
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
  async list({ account_id, limit, cursor }: ListLedgerRequest): Promise<Page<LedgerEntryView>> {
    const [after] = cursor === undefined ? [null] : decodeCursor(cursor, [isRowNumber]);
    await this.accounts.get(this.reports, account_id);
    const rows = await this.statements.entries(this.reports, account_id, limit + 1, after ?? null);
    const page = rows.slice(0, limit).map((row) => ({ ...row, at: row.at.toISOString() }));
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { items: page, next_cursor: last ? encodeCursor([last.id]) : null };
  }
}
