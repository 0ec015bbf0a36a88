import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../schedule/tasks/sweep-step.js';
import { SweepRepository } from './sweep.repository.js';

/** Deletes the tombstones of charges that can no longer arrive: a message lives for seconds, a tombstone for 24 h. */
@Injectable()
export class OldTombstonesStep implements SweepStep {
  readonly name = 'old tombstones';

  constructor(private readonly repository: SweepRepository) {}

  run(batchSize: number): Promise<number> {
    return this.repository.deleteOldTombstones(batchSize);
  }
}
