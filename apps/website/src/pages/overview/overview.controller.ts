import { getBalance, listCalls } from '#contracts';
import { Get } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { lastDays } from '../../view/dates.js';
import { type PageView } from '../../view/page.js';
import { overviewPage } from './overview.page.js';

const daysShown = 14;
const callsShown = 10;

/** `/account`: the balance, how long it lasts, and the latest calls. */
@MemberPages(pagePaths.overview)
export class OverviewController {
  constructor(private readonly account: AccountData) {}

  @Get()
  async show(@CurrentMember() member: MemberRequest): Promise<PageView> {
    const days = lastDays(daysShown, Date.now());
    const [balance, usage, calls, keys] = await Promise.all([
      this.account.ask(member, getBalance, {}),
      this.account.usage(member, days[0], days.at(-1)),
      this.account.ask(member, listCalls, { limit: callsShown }),
      this.account.keys(member),
    ]);
    return overviewPage({ balance, usage, days, calls: calls.items, keys });
  }
}
