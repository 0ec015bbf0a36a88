import { Injectable } from '@nestjs/common';
import { invitationForMs, InvitationsRepository } from './invitations.repository.js';
import { type SweepStep } from '../../schedule/tasks/sweep-step.js';

/** Deletes invitations that have expired: none of them counts for a bound. */
@Injectable()
export class OldInvitationsStep implements SweepStep {
  readonly name = 'old invitations';

  constructor(private readonly invitations: InvitationsRepository) {}

  run(batchSize: number): Promise<number> {
    return this.invitations.deleteOld(batchSize, invitationForMs);
  }
}
