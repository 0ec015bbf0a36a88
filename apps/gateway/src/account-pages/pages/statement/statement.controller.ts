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
import { type FormFields, Parameters } from '../../view/forms.js';
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
  async show(
    @CurrentMember() member: MemberRequest,
    @Parameters() parameters: FormFields,
  ): Promise<PageView> {
    const wanted = readWanted(parameters);
    const cursor = parameters.text('cursor') || undefined;
    const [{ credits_remaining: creditsRemaining }, { items: entries, next_cursor: nextCursor }] =
      await Promise.all([
        this.account.ask(member, getBalance, {}),
        this.list(member, { ...wanted, limit: entriesShown }, cursor),
      ]);
    return statementPage({ creditsRemaining, entries, type: wanted.type, cursor, nextCursor });
  }

  @Get('statement.csv')
  download(@CurrentMember() member: MemberRequest, @Parameters() parameters: FormFields): Promise<CsvFile> {
    const wanted = { ...readWanted(parameters), limit: csvPageSize };
    return CsvFile.of(
      `statement-${dayOf(Date.now())}.csv`,
      csvColumns,
      (entry: StatementEntry) => csvColumns.map((column) => entry[column]),
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
function readWanted(parameters: FormFields): Pick<WantedEntries, 'type'> {
  const text = parameters.text('type');
  if (text === '') return {};
  const type = parameters.choice('type', entryTypes);
  if (type === undefined) {
    throw new ServiceError('invalid_request', `There are no entries of the type ${text}.`);
  }
  return { type };
}
