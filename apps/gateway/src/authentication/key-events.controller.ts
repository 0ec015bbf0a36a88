import { keyChanged, KeyChanged } from '@app/contracts';
import { PayloadPipe } from '@app/transport';
import { Controller, UsePipes } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { KeyCache } from './key-cache.js';

/** Receives broadcasts of keys that were switched on or off or deleted. */
@Controller()
export class KeyEventsController {
  constructor(private readonly cache: KeyCache) {}

  @UsePipes(PayloadPipe)
  @EventPattern<Record<string, KeyChanged>>(keyChanged.event)
  changed(@Payload() { key_hash }: KeyChanged): void {
    this.cache.forget(key_hash);
  }
}
