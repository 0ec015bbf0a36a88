import {
  type LedgerEntryView,
  type LedgerPage,
  type ListLedgerRequest,
  type ListStatementRequest,
  type StatementEntry,
} from '#contracts';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { decodeCursor, encodeCursor, isCredits, isRowNumber, isTime } from '../common/cursor.js';
import { reportsPool } from '../../database/data-source.js';
import {
  type EntryPosition,
  type StatementPosition,
  StatementsRepository,
  type WantedPage,
} from './statements.repository.js';

/** The statement of an account: its ledger entries, page by page. */
@Injectable()
export class StatementsService {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly statements: StatementsRepository,
  ) {}

  /** Throws `not_found` without the account. */
  async list({ account_id, limit, cursor }: ListLedgerRequest): Promise<LedgerPage<LedgerEntryView>> {
    const wanted = await this.wantedPage(account_id, limit, positionOf(cursor));
    const entries = await this.reports.readPlannedOnce((on) => this.statements.entries(on, wanted));
    return this.pageOf(entries, wanted, cursorOf);
  }

  /**
   * The same with the balance after each entry: the cursor carries it on, so that no page sums what others have summed. Entries of
   * one type have none.
   */
  async listWithBalances({
    account_id,
    limit,
    cursor,
    type,
  }: ListStatementRequest): Promise<LedgerPage<StatementEntry>> {
    if (type !== undefined) {
      const wanted = await this.wantedPage(account_id, limit, positionOf(cursor));
      const entries = await this.reports.readPlannedOnce((on) =>
        this.statements.entriesOfType(on, wanted, type),
      );
      return this.pageOf(entries, wanted, cursorOf);
    }
    const wanted = await this.wantedPage(account_id, limit, statementPositionOf(cursor));
    const entries = await this.reports.readPlannedOnce((on) =>
      this.statements.entriesWithBalances(on, wanted),
    );
    return this.pageOf(entries, wanted, (last) => [
      ...cursorOf(last),
      String(last.balance_after - last.credits),
    ]);
  }

  /** Of one entry more than is shown, to know whether there are more. */
  private async wantedPage<Position extends EntryPosition>(
    accountId: string,
    limit: number,
    after: Position | null,
  ): Promise<WantedPage<Position>> {
    return { account: await this.accounts.get(this.reports, accountId), limit: limit + 1, after };
  }

  private async pageOf<Entry extends { readonly id: string; readonly at: Date }>(
    rows: readonly Entry[],
    { account, limit }: WantedPage<EntryPosition>,
    cursorAfter: (last: Entry) => string[],
  ): Promise<LedgerPage<Omit<Entry, 'at'> & { readonly at: string }>> {
    const page = rows.slice(0, limit - 1);
    const last = rows.length === limit ? page.at(-1) : undefined;
    const since = await this.statements.onlineSince(this.reports, account.id);
    return {
      items: page.map((row) => ({ ...row, at: row.at.toISOString() })),
      next_cursor: last ? encodeCursor(cursorAfter(last)) : null,
      online_since: since?.toISOString() ?? null,
    };
  }
}

function positionOf(cursor: string | undefined): EntryPosition | null {
  if (cursor === undefined) return null;
  const [id, at] = decodeCursor(cursor, [isRowNumber, isTime]);
  return { id, at };
}

function statementPositionOf(cursor: string | undefined): StatementPosition | null {
  if (cursor === undefined) return null;
  const [id, at, balanceBefore] = decodeCursor(cursor, [isRowNumber, isTime, isCredits]);
  return { id, at, balanceBefore };
}

function cursorOf({ id, at }: { readonly id: string; readonly at: Date }): string[] {
  return [id, at.toISOString()];
}
