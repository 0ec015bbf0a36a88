import { type CallView, type KeyView, type Page } from '@app/contracts';
import { Get } from '@nestjs/common';
import { csvLine } from '../../../text/csv.js';
import { csvPages } from '../../../text/csv-pages.js';
import { AccountData, type WantedCalls } from '../../data/account-data.js';
import { pagesPrefix } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { type FormFields, Parameters } from '../../sessions/form-fields.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { isAboutForm, refuseFor } from '../../view/form-refusal.js';
import { CsvFile, type PageView } from '../../view/page.js';
import { callColumns, valuesOfCall } from './call-csv.js';
import { usagePage, usageWithoutDaysPage } from './usage.page.js';
import { readUsageView, readViewWithoutDays, type UsageView } from './usage-view.js';

const callsShown = 25;
const csvPageSize = 200;

/** `/account/usage`: what was used, day by day, and every call; both as files too. */
@MemberPages(pagesPrefix)
export class UsageController {
  constructor(private readonly account: AccountData) {}

  @Get('usage')
  async show(@CurrentVisit() visit: Visit, @Parameters() parameters: FormFields): Promise<PageView> {
    const keys = await this.account.keys(visit);
    let view: UsageView;
    try {
      view = viewOf(parameters, keys);
    } catch (error) {
      if (!isAboutForm(error)) throw error;
      const page = usageWithoutDaysPage(readViewWithoutDays(parameters, idsOf(keys)));
      return refuseFor(page, parameters, error, ['from', 'to']);
    }
    const [usage, calls] = await Promise.all([
      this.account.usage(visit, view.from, view.to),
      this.account.calls(visit, wantedCalls(view, callsShown)),
    ]);
    return usagePage({ view, usage, keys, calls: calls.items, nextCursor: calls.next_cursor });
  }

  @Get('usage.csv')
  async downloadUsage(@CurrentVisit() visit: Visit, @Parameters() parameters: FormFields): Promise<CsvFile> {
    const keys = await this.account.keys(visit);
    const { from, to } = viewOf(parameters, keys);
    const names = new Map(keys.map(({ id, name }) => [id, name]));
    const lines = (await this.account.usage(visit, from, to)).map(
      ({ day, key_id, operation, calls, credits }) =>
        csvLine([day, key_id, names.get(key_id) ?? '', operation, calls, credits]),
    );
    const head = csvLine(['day', 'key_id', 'key', 'operation', 'calls', 'credits']);
    return new CsvFile(`usage-${from}-${to}.csv`, [head, ...lines]);
  }

  @Get('calls.csv')
  async downloadCalls(@CurrentVisit() visit: Visit, @Parameters() parameters: FormFields): Promise<CsvFile> {
    const view = viewOf(parameters, await this.account.keys(visit));
    const page = (cursor?: string): Promise<Page<CallView>> =>
      this.account.calls(visit, wantedCalls({ ...view, cursor }, csvPageSize), () =>
        visit.contextOfLongWork(),
      );
    const name = `calls-${view.from}-${view.to}.csv`;
    return new CsvFile(name, csvPages(callColumns, valuesOfCall, await page(), page));
  }
}

function viewOf(parameters: FormFields, keys: readonly KeyView[]): UsageView {
  return readUsageView(parameters, idsOf(keys), new Date());
}

function idsOf(keys: readonly KeyView[]): string[] {
  return keys.map(({ id }) => id);
}

function wantedCalls(view: UsageView, limit: number): WantedCalls {
  const { from, to, keyId, operation, state, cursor } = view;
  return {
    limit,
    from,
    to,
    ...(keyId === undefined ? {} : { key_id: keyId }),
    ...(operation === undefined ? {} : { operation }),
    ...(state === undefined ? {} : { state }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
