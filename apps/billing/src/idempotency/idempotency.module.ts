import { Module } from '@nestjs/common';
import { OldIdempotencyKeysStep } from './old-idempotency-keys.step.js';

/** The sweep's step that forgets old idempotency keys; who creates something keeps them in its own transaction. */
@Module({ providers: [OldIdempotencyKeysStep], exports: [OldIdempotencyKeysStep] })
export class IdempotencyModule {}
