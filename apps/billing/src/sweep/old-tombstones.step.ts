import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../sweep-steps/sweep-step.js';
import { SweepRepository } from './sweep.repository.js';

/** Forgets the tombstones of charges that can't arrive any more: a message lives for seconds, a tombstone for 24 h. */
@Injectable()
export class OldTombstonesStep implements SweepStep {
  readonly name = 'old tombstones';

  constructor(private readonly repository: SweepRepository) {}

  run(batchSize: number): Promise<number> {
    return this.repository.deleteOldTombstones(batchSize);
  }
}
