import { retryPaymentEvents } from '@app/contracts';
import { type RequestContext, ServiceClient } from '@app/transport';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { CallContext } from '../call-context.js';

/** What Stripe has told, and billing works on. */
@Controller('payment-events')
export class AdminPaymentEventsController {
  constructor(private readonly services: ServiceClient) {}

  /** Has those that were given up tried for three days more; says how many, 1,000 at most. */
  @Post('retry')
  @HttpCode(200)
  retry(@CallContext() context: RequestContext): Promise<{ retried: number }> {
    return this.services.request(retryPaymentEvents, {}, context);
  }
}
