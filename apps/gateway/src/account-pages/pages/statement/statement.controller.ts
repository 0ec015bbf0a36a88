import {
  entryTypes,
  getBalance,
  listStatement,
  type ListStatementRequest,
  type Page,
  ServiceError,
  type StatementEntry,
} from '@app/contracts';
import { Get } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagesPrefix } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { dayOf } from '../../view/dates.js';
import { CsvFile, type PageView } from '../../view/page.js';
import { statementPage } from './statement.page.js';

const entriesShown = 50;
const csvPageSize = 200;

const csvColumns = [
  'id',
  'at',
  'type',
  'credits',
  'balance_after',
  'pack',
  'request_id',
  'operation',
  'key_id',
  'state',
  'reason',
] as const satisfies readonly (keyof StatementEntry)[];

type WantedEntries = Omit<ListStatementRequest, 'account_id'>;

/** `/account/statement`: every change of the balance, as a page and as a file. */
@MemberPages(pagesPrefix)
export class StatementController {
  constructor(private readonly account: AccountData) {}

  @Get('statement')
  async show(@CurrentMember() member: MemberRequest): Promise<PageView> {
    const wanted = readWanted(member);
    const cursor = member.fields.text('cursor') || undefined;
    const [{ credits_remaining: creditsRemaining }, entries] = await Promise.all([
      this.account.ask(member, getBalance, {}),
      this.list(member, { ...wanted, limit: entriesShown }, cursor),
    ]);
    return statementPage({ creditsRemaining, entries, type: wanted.type, cursor });
  }

  @Get('statement.csv')
  download(@CurrentMember() member: MemberRequest): Promise<CsvFile> {
    const wanted = { ...readWanted(member), limit: csvPageSize };
    return CsvFile.of(
      `statement-${dayOf(Date.now())}.csv`,
      csvColumns,
      (entry: StatementEntry) => entry,
      (cursor) => this.list(member, wanted, cursor),
    );
  }

  /** Newest first; a download takes its pages one after the other, for as long as it needs. */
  private list(member: MemberRequest, wanted: WantedEntries, cursor?: string): Promise<Page<StatementEntry>> {
    const request = cursor === undefined ? wanted : { ...wanted, cursor };
    return this.account.report(member, listStatement, request, member.contextOfLongWork());
  }
}

/** Throws `invalid_request` rather than show all entries as if they were of the wanted type. */
function readWanted({ fields }: MemberRequest): Pick<WantedEntries, 'type'> {
  const text = fields.text('type');
  if (text === '') return {};
  const type = fields.choice('type', entryTypes);
  if (type !== undefined) return { type };
  throw new ServiceError('invalid_request', `Unknown type of entry: ${text}.`);
}
