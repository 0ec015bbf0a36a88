import { type MessageContract, ServiceError } from '#contracts';
import { FairQueue } from '#platform';
import { type RequestContext, ServiceClient } from '#transport';
import { Injectable, Module } from '@nestjs/common';

/** Reports of one account: in work at a process, and waiting there. */
export const reportsAtOnce = 3;
export const reportsWaiting = 32;

/** Any number of accounts; each may wait as long as half of what a request may take. */
const bounds = {
  atOnceMax: Infinity,
  shareMax: reportsAtOnce,
  waitingMax: Infinity,
  waitingOfKeyMax: reportsWaiting,
  waitMaxMs: 2_500,
};

/**
 * Asks billing for reports: usage, calls, statements. At most 3 of an account at once, and a short line for more, so that
 * constant downloads by one account do not delay the reports of others.
 */
@Injectable()
export class Reports {
  private readonly line = new FairQueue(bounds);

  constructor(private readonly services: ServiceClient) {}

  /** Throws `unavailable` for one whose turn does not come in time. */
  async ask<Request extends { readonly account_id: string }, Reply>(
    report: MessageContract<Request, Reply>,
    request: Request,
    context: RequestContext,
  ): Promise<Reply> {
    const end = await this.line.enter(request.account_id);
    if (!end) {
      throw new ServiceError(
        'unavailable',
        'Too many reports on this account are running; try again shortly.',
      );
    }
    try {
      return await this.services.request(report, request, context);
    } finally {
      end();
    }
  }
}

/** Reports on accounts, for the public API or the account pages. */
@Module({ providers: [Reports], exports: [Reports] })
export class ReportsModule {}
