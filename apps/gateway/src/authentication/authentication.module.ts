import { Module } from '@nestjs/common';
import { AccountLinks } from '../account-pages/paths/account-links.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { Authenticator } from './authenticator.service.js';
import { KeyCache } from './key-cache.js';
import { KeyEventsController } from './key-events.controller.js';
import { KeyLookUps } from './key-look-ups.js';
import { TokenBucket } from '../rate-limit/token-bucket.js';

/** Authentication: from the API key of a request to its account. */
@Module({
  controllers: [KeyEventsController],
  providers: [AccountLinks, ApiKeyGuard, Authenticator, KeyCache, KeyLookUps, TokenBucket],
  exports: [AccountLinks, ApiKeyGuard, Authenticator, KeyCache],
})
export class AuthenticationModule {}
