import {
  entryTypes,
  getBalance,
  type StatementPage,
  listStatement,
  type ListStatementRequest,
  ServiceError,
  type StatementEntry,
} from '#contracts';
import { csvPages } from '#http';
import { Get } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagesPrefix } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { SealedTexts } from '../../sessions/sealed-texts.js';
import { dayOf } from '../../view/dates.js';
import { CsvFile, type PageView } from '../../view/page.js';
import { statementPage } from './statement.page.js';

const entriesShown = 50;
const csvPageSize = 200;
const cursorMaxAgeSeconds = 86_400;

/** Without the ids of entries: they are numbers of the whole ledger, and would tell how much others use. */
const csvColumns = [
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
    const cursor = readCursor(member);
    const [{ credits_remaining: creditsRemaining }, entries] = await Promise.all([
      this.account.ask(member, getBalance, {}),
      this.list(member, { ...wanted, limit: entriesShown }, cursor),
    ]);
    const next_cursor = entries.next_cursor && cursorsOf(member).seal({ cursor: entries.next_cursor });
    return statementPage({
      creditsRemaining,
      entries: { ...entries, next_cursor },
      type: wanted.type,
      cursor,
    });
  }

  @Get('statement.csv')
  async download(@CurrentMember() member: MemberRequest): Promise<CsvFile> {
    const wanted = { ...readWanted(member), limit: csvPageSize };
    const pieces = await csvPages(
      csvColumns,
      (entry: StatementEntry) => entry,
      (cursor) => this.list(member, wanted, cursor),
    );
    return new CsvFile(`statement-${dayOf(Date.now())}.csv`, pieces);
  }

  /** Newest first; a download takes its pages one after the other, for as long as it needs. */
  private list(member: MemberRequest, wanted: WantedEntries, cursor?: string): Promise<StatementPage> {
    const request = cursor === undefined ? wanted : { ...wanted, cursor };
    return this.account.ask(member, listStatement, request, member.contextOfLongWork());
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

/** Seals the cursor in the link to the next page, which is an id too: only the session that got it can open it. */
function cursorsOf({ token }: MemberRequest): SealedTexts<'cursor'> {
  return new SealedTexts(token, 'a page of a statement', cursorMaxAgeSeconds);
}

/** Throws `invalid_request` for what was not sealed for this session, or too long ago. */
function readCursor(member: MemberRequest): string | undefined {
  const sealed = member.fields.text('cursor');
  if (sealed === '') return undefined;
  const opened = cursorsOf(member).open(sealed);
  if (opened) return opened.cursor;
  throw new ServiceError('invalid_request', 'This link to a page of the statement no longer works.');
}
