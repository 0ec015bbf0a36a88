import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../schedule/tasks/sweep-step.js';
import { SweepRepository } from './sweep.repository.js';

/**
 * Deletes refused charges, which took no credits. Each is kept for 60 s, because its message may arrive twice within 5
 * s and must get the same answer. Locks no account, because nothing changes a refused charge.
 */
@Injectable()
export class RefusedChargesStep implements SweepStep {
  readonly name = 'refused charges';

  constructor(private readonly repository: SweepRepository) {}

  run(batchSize: number): Promise<number> {
    return this.repository.deleteRefusedCharges(batchSize);
  }
}
