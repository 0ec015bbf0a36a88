import { keyChanged, KeyChanged } from '#contracts';
import { PayloadPipe } from '#transport';
import { Controller, Module, UsePipes } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { KeyCache } from './key-cache.js';
import { AccountLinks } from '../errors/account-links.js';
import { Authenticator } from './authenticator.service.js';

/** Receives broadcasts of keys that were switched on or off or deleted. */
@Controller()
class KeyEventsController {
  constructor(private readonly cache: KeyCache) {}

  @UsePipes(PayloadPipe)
  @EventPattern<Record<string, KeyChanged>>(keyChanged.event)
  changed(@Payload() { key_hash }: KeyChanged): void {
    this.cache.forget(key_hash);
  }
}

/** Authentication: from the API key of a request to its account. */
@Module({
  controllers: [KeyEventsController],
  providers: [AccountLinks, Authenticator, KeyCache],
  exports: [AccountLinks, Authenticator, KeyCache],
})
export class AuthenticationModule {}
