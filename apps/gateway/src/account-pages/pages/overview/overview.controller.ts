import { CONFIG } from '@app/platform';
import { Get, Inject } from '@nestjs/common';
import { publicOrigin, type PublicOriginConfig } from '../../../http/server/public-origin.js';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { lastDays } from '../../view/dates.js';
import { type PageView } from '../../view/page.js';
import { overviewPage } from './overview.page.js';

const daysShown = 14;
const callsShown = 10;

/** `/account`: what is left, how long it lasts, and what was called lately. */
@MemberPages(pagePaths.overview)
export class OverviewController {
  private readonly origin: string;

  constructor(
    @Inject(CONFIG) config: PublicOriginConfig,
    private readonly account: AccountData,
  ) {
    this.origin = publicOrigin(config);
  }

  @Get()
  async show(@CurrentVisit() visit: Visit): Promise<PageView> {
    const now = Date.now();
    const days = lastDays(daysShown, now);
    const [balance, usage, calls, keys] = await Promise.all([
      this.account.balance(visit),
      this.account.usage(visit, days[0] ?? '', days.at(-1) ?? ''),
      this.account.calls(visit, { limit: callsShown }),
      this.account.keys(visit),
    ]);
    return overviewPage({ balance, usage, days, calls: calls.items, keys, now, origin: this.origin });
  }
}
