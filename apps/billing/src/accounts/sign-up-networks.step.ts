import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../schedule/sweep.service.js';

/** Served by `accounts_signed_up`, which has only what is not yet forgotten. One that is locked is left for later. */
const forgetSql = `
  UPDATE accounts SET signed_up_from = NULL WHERE id IN (
    SELECT id FROM accounts
    WHERE signed_up_from IS NOT NULL AND created_at <= (SELECT ledger_now()) - interval '24 hours'
    LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
  ) RETURNING id`;

/** Forgets from which networks accounts were opened, once that no longer counts towards a limit. */
@Injectable()
export class SignUpNetworksStep implements SweepStep {
  readonly name = 'networks of sign-ups';

  constructor(private readonly database: TransactionRunner) {}

  async run(batchSize: number): Promise<number> {
    return (await this.database.query('forget networks of sign-ups', forgetSql, [batchSize])).length;
  }
}
