import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../schedule/tasks/sweep-step.js';
import { SessionsRepository } from './sessions.repository.js';

/** Deletes the sessions that ended a day ago. */
@Injectable()
export class OldSessionsStep implements SweepStep {
  readonly name = 'old sessions';

  constructor(private readonly sessions: SessionsRepository) {}

  run(batchSize: number): Promise<number> {
    return this.sessions.deleteOld(batchSize);
  }
}
