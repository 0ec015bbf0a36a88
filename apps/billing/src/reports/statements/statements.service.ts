import {
  type EntryType,
  type LedgerEntryView,
  type ListLedgerRequest,
  type ListStatementRequest,
  type Page,
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
  async list({ account_id, limit, cursor }: ListLedgerRequest): Promise<Page<LedgerEntryView>> {
    const wanted = await this.wantedPage(account_id, limit, positionOf(cursor));
    const newer = await this.reports.readPlannedOnce((on) => this.statements.entries(on, wanted));
    const older = await this.older(newer, wanted, null);
    const withoutBalances = older.map(({ balance_after: _, pack: __, ...entry }) => entry);
    return pageOf([...newer, ...withoutBalances], limit, cursorOf);
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
  }: ListStatementRequest): Promise<Page<StatementEntry>> {
    if (type !== undefined) {
      const wanted = await this.wantedPage(account_id, limit, positionOf(cursor));
      const newer = await this.reports.readPlannedOnce((on) =>
        this.statements.entriesOfType(on, wanted, type),
      );
      const older = await this.older(newer, wanted, type);
      return pageOf(
        [...newer, ...older.map((entry) => ({ ...entry, balance_after: null }))],
        limit,
        cursorOf,
      );
    }
    const wanted = await this.wantedPage(account_id, limit, statementPositionOf(cursor));
    const newer = await this.reports.readPlannedOnce((on) => this.statements.entriesWithBalances(on, wanted));
    const older = await this.older(newer, wanted, null);
    return pageOf([...newer, ...older], limit, (last) => [
      ...cursorOf(last),
      String((last.balance_after ?? 0) - last.credits),
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

  /** From archives, what is older than the entries in the database: a month may have been archived since these were read. */
  private older(
    newer: readonly { readonly id: string }[],
    { account, limit, after }: WantedPage<EntryPosition>,
    type: EntryType | null,
  ) {
    const before = newer.at(-1)?.id ?? after?.id ?? null;
    const wanted = { accountId: account.id, limit: limit - newer.length, before, type };
    return this.statements.archived(this.reports, wanted);
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

/** A page of `limit` rows, of which one more was asked for, to know whether there are more. */
function pageOf<Entry extends { readonly id: string; readonly at: Date }>(
  rows: readonly Entry[],
  limit: number,
  positionOfLast: (last: Entry) => string[],
): Page<Omit<Entry, 'at'> & { readonly at: string }> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => ({ ...row, at: row.at.toISOString() })),
    next_cursor: last ? encodeCursor(positionOfLast(last)) : null,
  };
}
