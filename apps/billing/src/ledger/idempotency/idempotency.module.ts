import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { OldIdempotencyKeysStep } from './old-idempotency-keys.step.js';

/** Idempotency keys, recorded in the transaction that creates something, and the sweep's step that deletes old ones. */
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [IdempotencyKeysRepository, OldIdempotencyKeysStep],
  exports: [IdempotencyKeysRepository, OldIdempotencyKeysStep],
})
export class IdempotencyModule {}
