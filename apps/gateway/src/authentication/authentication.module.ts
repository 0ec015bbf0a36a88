import { Module } from '@nestjs/common';
import { AccountLinks } from '../account-pages/paths/account-links.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { Authenticator } from './authenticator.service.js';
import { CallAuthenticator } from './call-authenticator.js';
import { KeyCache } from './key-cache.js';
import { KeyEventsController } from './key-events.controller.js';
import { KeyLookUps } from './key-look-ups.js';
import { TokenBucket } from './token-bucket.js';

/** Authentication: from the API key of a request to its account. */
@Module({
  controllers: [KeyEventsController],
  providers: [AccountLinks, ApiKeyGuard, Authenticator, CallAuthenticator, KeyCache, KeyLookUps, TokenBucket],
  exports: [AccountLinks, ApiKeyGuard, CallAuthenticator, KeyCache],
})
export class AuthenticationModule {}
