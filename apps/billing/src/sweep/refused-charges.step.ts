import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../sweep-steps/sweep-step.js';
import { SweepRepository } from './sweep.repository.js';

/**
 * Forgets refused charges: they took nothing and never will. Each is remembered for 60 s, because its message may come
 * twice within 5 s and has to be answered alike. No account is locked: nothing changes a refused charge.
 */
@Injectable()
export class RefusedChargesStep implements SweepStep {
  readonly name = 'refused charges';

  constructor(private readonly repository: SweepRepository) {}

  run(batchSize: number): Promise<number> {
    return this.repository.deleteRefusedCharges(batchSize);
  }
}
