import { RateLimiterModule } from '#http';
import { Module } from '@nestjs/common';
import { CallLimits } from './call-limits.js';
import { TokenBucket } from './token-bucket.js';
import { AbandonedCalls, FreeCallLimit } from './unpaid-calls.js';

const limits = [AbandonedCalls, CallLimits, FreeCallLimit, TokenBucket];

/** Limits per key, account and network across all gateways. */
@Module({
  imports: [RateLimiterModule.forRoot('rate-limit')],
  providers: limits,
  exports: [RateLimiterModule, ...limits],
})
export class RateLimitModule {}
