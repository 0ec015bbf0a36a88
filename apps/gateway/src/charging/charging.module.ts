import { Shutdown } from '#http';
import { Module, type OnApplicationShutdown, Injectable } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { MeteringService } from './metering.service.js';
import { PaidInterceptor } from './paid.interceptor.js';
import { Settler } from './settler.js';
import { UnpayableSearches } from './unpayable-searches.js';
import { type Balance, getBalance } from '#contracts';
import { ServiceClient } from '#transport';
import { KeyCache } from '../authentication/key-cache.js';
import { type Call } from '../requests/call.js';

/** The balance of the account of a call, with the monthly limit of its key; of a test key its own. */
@Injectable()
export class Balances {
  constructor(
    private readonly services: ServiceClient,
    private readonly keys: KeyCache,
  ) {}

  async of(call: Call): Promise<Balance> {
    if (call.isTest) return { credits_remaining: call.testBalance, lots: [] };
    const { account_id, key_id } = call.key;
    const askedAt = performance.now();
    const balance = await this.services.request(getBalance, { account_id, key_id }, call);
    this.keys.noteSpendable(call.presentedKey.hash, balance, askedAt);
    return balance;
  }
}

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
