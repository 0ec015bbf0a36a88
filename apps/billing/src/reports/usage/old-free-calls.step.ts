import { TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../schedule/sweep.service.js';
import { UsageRepository } from './usage.repository.js';

/**
 * Deletes the charges of calls that cost nothing after 90 days, and keeps their number by day: usage is the same before and
 * after. Locks no account, because nothing changes such a charge.
 */
@Injectable()
export class OldFreeCallsStep implements SweepStep {
  readonly name = 'old free calls';

  constructor(
    private readonly database: TransactionRunner,
    private readonly usage: UsageRepository,
  ) {}

  run(batchSize: number): Promise<number> {
    return this.usage.countOldFreeCalls(this.database, batchSize);
  }
}
