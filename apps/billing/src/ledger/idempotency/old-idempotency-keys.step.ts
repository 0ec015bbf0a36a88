import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../schedule/tasks/sweep-step.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

/** Deletes Idempotency-Keys 24 h after their caller was last answered. */
@Injectable()
export class OldIdempotencyKeysStep implements SweepStep {
  readonly name = 'old idempotency keys';

  constructor(private readonly keys: IdempotencyKeysRepository) {}

  run(batchSize: number): Promise<number> {
    return this.keys.deleteOld(batchSize);
  }
}
