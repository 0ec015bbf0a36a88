import {
  type CallRecord,
  isText,
  listCalls,
  type ListCallsRequest,
  ServiceError,
  type UsageRow,
} from '#contracts';
import { csvPages } from '#http';
import { Get } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagesPrefix } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { isAboutForm, refuse } from '../../view/forms.js';
import { CsvFile, type PageView } from '../../view/page.js';
import { callPage } from './call.page.js';
import { usagePage, usageWithoutDaysPage } from './usage.page.js';
import { readFilters, readUsageView, type UsageView } from './usage-view.js';

const callsShown = 25;
const csvPageSize = 200;
const callsOfRequestMax = 50;
const requestIdLengthMax = 200;

const usageColumns = ['day', 'key_id', 'key', 'operation', 'calls', 'credits'] as const;
const callColumns = [
  'at',
  'request_id',
  'key_id',
  'key',
  'operation',
  'filters',
  'total',
  'credits',
  'credits_returned',
  'state',
  'reason',
  'repeat_of',
] as const;

/** `/account/usage`: what was used, day by day, and every call; both as files too. */
@MemberPages(pagesPrefix)
export class UsageController {
  constructor(private readonly account: AccountData) {}

  @Get('usage')
  async show(@CurrentMember() member: MemberRequest): Promise<PageView> {
    const keys = await this.account.keys(member);
    let view: UsageView;
    try {
      view = readUsageView(member.fields, keys);
    } catch (error) {
      if (!isAboutForm(error)) throw error;
      const page = usageWithoutDaysPage(readFilters(member.fields, keys), keys);
      return refuse(page, member.fields, error, { fields: ['from', 'to'] });
    }
    const [usage, calls] = await Promise.all([
      this.account.usage(member, view.from, view.to),
      this.account.ask(member, listCalls, wantedCalls(view, callsShown)),
    ]);
    return usagePage({ view, usage, keys, calls });
  }

  @Get('usage.csv')
  async downloadUsage(@CurrentMember() member: MemberRequest): Promise<CsvFile> {
    const keys = await this.account.keys(member);
    const { from, to } = readUsageView(member.fields, keys);
    const names = new Map(keys.map(({ id, name }) => [id, name]));
    const pieces = await csvPages(
      usageColumns,
      (row: UsageRow) => ({ ...row, key: names.get(row.key_id) ?? '' }),
      async () => ({ items: [...(await this.account.usage(member, from, to))], next_cursor: null }),
    );
    return new CsvFile(`usage-${from}-${to}.csv`, pieces);
  }

  @Get('calls.csv')
  async downloadCalls(@CurrentMember() member: MemberRequest): Promise<CsvFile> {
    const view = readUsageView(member.fields, await this.account.keys(member));
    const pieces = await csvPages(
      callColumns,
      ({ key, filters, ...call }: CallRecord) => ({
        ...call,
        key_id: key.id,
        key: key.name,
        filters: filters?.join(' ') ?? null,
      }),
      (cursor) => {
        const wanted = wantedCalls({ ...view, cursor }, csvPageSize);
        return this.account.ask(member, listCalls, wanted, member.contextOfLongWork());
      },
    );
    return new CsvFile(`calls-${view.from}-${view.to}.csv`, pieces);
  }

  /** The cost of one call, and the reason. */
  @Get('calls/:request_id')
  async showCall(@CurrentMember() member: MemberRequest): Promise<PageView> {
    const requestId = member.parameter('request_id');
    const wanted = { request_id: requestId, limit: callsOfRequestMax };
    const { items } = isText(requestId, requestIdLengthMax)
      ? await this.account.ask(member, listCalls, wanted)
      : { items: [] };
    if (items.length > 0) return callPage(requestId, items);
    throw new ServiceError('not_found', 'No call of this account has this request ID.');
  }
}

function wantedCalls(view: UsageView, limit: number): Omit<ListCallsRequest, 'account_id'> {
  const { from, to, key, operation, state, cursor } = view;
  return {
    limit,
    from,
    to,
    ...(key && { key_id: key }),
    ...(operation && { operation }),
    ...(state && { state }),
    ...(cursor && { cursor }),
  };
}
