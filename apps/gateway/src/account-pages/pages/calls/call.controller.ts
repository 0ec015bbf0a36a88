import { isText, ServiceError } from '@app/contracts';
import { Get, Param } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { type PageView } from '../../view/page.js';
import { callPage } from './call.page.js';

const callsShown = 50;
const requestIdLengthMax = 200;

/** `/account/calls/{request_id}`: what one call cost, and why. */
@MemberPages(pagePaths.calls)
export class CallController {
  constructor(private readonly account: AccountData) {}

  @Get(':request_id')
  async show(@CurrentVisit() visit: Visit, @Param('request_id') requestId: string): Promise<PageView> {
    const { items } = isText(requestId, requestIdLengthMax)
      ? await this.account.calls(visit, { request_id: requestId, limit: callsShown })
      : { items: [] };
    if (items.length === 0) {
      throw new ServiceError('not_found', 'No call of this account has this request id.');
    }
    return callPage(requestId, items);
  }
}
