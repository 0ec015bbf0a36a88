import { type EntryType, entryTypes, type Page, ServiceError, type StatementEntry } from '@app/contracts';
import { Get } from '@nestjs/common';
import { csvPages } from '../../../text/csv-pages.js';
import { AccountData } from '../../data/account-data.js';
import { pagesPrefix } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { type FormFields, Parameters } from '../../sessions/form-fields.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
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

/** `/account/statement`: every change of the balance, as a page and as a file. */
@MemberPages(pagesPrefix)
export class StatementController {
  constructor(private readonly account: AccountData) {}

  @Get('statement')
  async show(@CurrentVisit() visit: Visit, @Parameters() parameters: FormFields): Promise<PageView> {
    const type = readType(parameters);
    const cursor = parameters.text('cursor') || undefined;
    const [balance, page] = await Promise.all([
      this.account.balance(visit),
      this.list(visit, entriesShown, type, cursor),
    ]);
    return statementPage({
      creditsRemaining: balance.credits_remaining,
      entries: page.items,
      type,
      cursor,
      nextCursor: page.next_cursor,
    });
  }

  @Get('statement.csv')
  async download(@CurrentVisit() visit: Visit, @Parameters() parameters: FormFields): Promise<CsvFile> {
    const type = readType(parameters);
    const page = (cursor?: string): Promise<Page<StatementEntry>> =>
      this.list(visit, csvPageSize, type, cursor);
    const valuesOf = (entry: StatementEntry) => csvColumns.map((column) => entry[column]);
    return new CsvFile(
      `statement-${dayOf(Date.now())}.csv`,
      csvPages(csvColumns, valuesOf, await page(), page),
    );
  }

  private list(
    visit: Visit,
    limit: number,
    type?: EntryType,
    cursor?: string,
  ): Promise<Page<StatementEntry>> {
    return this.account.statement(visit, {
      limit,
      ...(type === undefined ? {} : { type }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  }
}

/** Throws `invalid_request` rather than show all entries as if they were of the wanted type. */
function readType(parameters: FormFields): EntryType | undefined {
  const text = parameters.text('type');
  const type = entryTypes.find((name) => name === text);
  if (type === undefined && text !== '') {
    throw new ServiceError('invalid_request', `There are no entries of the type ${text}.`);
  }
  return type;
}
