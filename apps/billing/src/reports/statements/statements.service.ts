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
import { type EntryPosition, StatementsRepository, type WantedPage } from './statements.repository.js';

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
    const [id, at = null] = cursor === undefined ? [] : decodeCursor(cursor, [isRowNumber], [isTime]);
    const after = id === undefined ? null : { id, at };
    const account = await this.accounts.get(this.reports, account_id);
    const wanted = { account, limit: limit + 1, after };
    const newer = await this.reports.readPlannedOnce((on) => this.statements.entries(on, wanted));
    const older = await this.older(newer, wanted, null);
    const withoutBalances = older.map(({ balance_after: _, pack: __, ...entry }) => entry);
    return pageOf([...newer, ...withoutBalances], limit, (last) => [last.id, last.at.toISOString()]);
  }

  /** The same with the balance after each entry. The cursor carries it on, so that no page sums what others have summed. */
  async listWithBalances({
    account_id,
    limit,
    cursor,
    type: wantedType,
  }: ListStatementRequest): Promise<Page<StatementEntry>> {
    const [id, balanceBefore, at = null] =
      cursor === undefined ? [] : decodeCursor(cursor, [isRowNumber, isCredits], [isTime]);
    const after = id === undefined || balanceBefore === undefined ? null : { id, balanceBefore, at };
    const type = wantedType ?? null;
    const account = await this.accounts.get(this.reports, account_id);
    const wanted = { account, limit: limit + 1, after };
    const newer = await this.reports.readPlannedOnce((on) =>
      this.statements.entriesWithBalances(on, wanted, type),
    );
    const older = await this.older(newer, wanted, type);
    return pageOf([...newer, ...older], limit, (last) => [
      last.id,
      String(last.balance_after - last.credits),
      last.at.toISOString(),
    ]);
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

/** A page of `limit` rows, of which one more was asked for, to know whether there are more. */
function pageOf<Entry extends { readonly id: string; readonly at: Date }>(
  rows: readonly Entry[],
  limit: number,
  positionOf: (last: Entry) => string[],
): Page<Omit<Entry, 'at'> & { readonly at: string }> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => ({ ...row, at: row.at.toISOString() })),
    next_cursor: last ? encodeCursor(positionOf(last)) : null,
  };
}
