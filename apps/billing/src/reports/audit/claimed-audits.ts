import { LOGGER, type Logger, messageOf, PeriodicTask } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { AuditsRepository } from './audits.repository.js';
import { type AuditRun } from './ledger-audit.js';

const prolongEveryMs = 2_000;

/** Runs audits that this replica has claimed: keeps the claim, shows the progress, and ends an audit whose claim is gone. */
@Injectable()
export class ClaimedAudits {
  constructor(
    private readonly audits: AuditsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records a failure, also that the replica stops; one whose claim is gone has been recorded by whoever took it. */
  async run(
    id: string,
    stopping: AbortSignal,
    work: (given: Pick<AuditRun, 'signal' | 'onProgress'>) => Promise<void>,
  ): Promise<void> {
    const gone = new AbortController();
    let progress = 0;
    const prolonging = new PeriodicTask({
      run: async () => {
        if (!(await this.audits.prolong(id, progress))) gone.abort();
      },
      intervalMs: prolongEveryMs,
      problem: 'The claim of an audit could not be prolonged.',
      logger: this.logger,
    });
    prolonging.start();
    try {
      await work({
        signal: AbortSignal.any([stopping, gone.signal]),
        onProgress: (share) => (progress = share),
      });
    } catch (error) {
      if (gone.signal.aborted) return;
      const problem = stopping.aborted ? 'The replica that ran it was stopped.' : messageOf(error);
      await this.audits.fail(id, problem);
      if (!stopping.aborted) throw error;
    } finally {
      await prolonging.stop();
    }
  }
}
