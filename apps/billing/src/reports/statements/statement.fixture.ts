import { type ListStatementRequest, type StatementEntry } from '#contracts';
import { type LedgerFixture } from '../../ledger/ledger.fixture.js';
import { StatementsService } from './statements.service.js';

type Billing = Pick<LedgerFixture, 'get'>;

/** All pages of a statement, as one. */
export async function wholeStatement(
  billing: Billing,
  request: Omit<ListStatementRequest, 'cursor'>,
): Promise<StatementEntry[]> {
  const entries: StatementEntry[] = [];
  let cursor: string | null = null;
  do {
    const page = await billing
      .get(StatementsService)
      .listWithBalances({ ...request, ...(cursor !== null && { cursor }) });
    entries.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return entries;
}
