import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../schedule/tasks/sweep-step.js';
import { SignInsRepository } from './sign-ins.repository.js';

/** Deletes sign-ins that are a day old: they ended long before, and count no longer for the bounds of their address. */
@Injectable()
export class OldSignInsStep implements SweepStep {
  readonly name = 'old sign-ins';

  constructor(private readonly signIns: SignInsRepository) {}

  run(batchSize: number): Promise<number> {
    return this.signIns.deleteOld(batchSize);
  }
}
