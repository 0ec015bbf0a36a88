import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { Shutdown } from '../shutdown/shutdown.js';
import { Balances } from './balances.js';
import { MeteringService } from './metering.service.js';
import { PaidInterceptor } from './paid.interceptor.js';
import { Settler } from './settler.js';
import { UnpayableSearches } from './unpayable-searches.js';

/** Charges for answers and settles the charges at billing. */
@Module({
  imports: [AuthenticationModule, RateLimitModule],
  providers: [Balances, MeteringService, PaidInterceptor, Settler, UnpayableSearches],
  exports: [Balances, MeteringService, PaidInterceptor, UnpayableSearches],
})
export class ChargingModule implements OnApplicationShutdown {
  constructor(
    private readonly settler: Settler,
    private readonly shutdown: Shutdown,
  ) {}

  /** All answers have been sent by now: sends the last settlements. */
  onApplicationShutdown(): Promise<void> {
    return this.settler.flush(this.shutdown.msUntil('settled'));
  }
}
