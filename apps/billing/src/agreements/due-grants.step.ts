import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { autocommitQuery } from '../database/query.js';
import { AccountBatches } from '../sweep-steps/account-batches.js';
import { type SweepStep } from '../sweep-steps/sweep-step.js';
import { accountsWithDueGrants } from './agreements.repository.js';
import { grantDueOfAccounts } from './grant-due.js';

/** Each account takes four statements a grant, under its lock: few, so that no charge waits for them for long. */
const accountsMax = 50;

/** Grants what agreements owe, within a sweep of its due date. */
@Injectable()
export class DueGrantsStep implements SweepStep {
  readonly name = 'due grants';
  private readonly batches: AccountBatches;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.batches = new AccountBatches(dataSource, {
      name: this.name,
      due: (batchSize, except) =>
        accountsWithDueGrants(autocommitQuery(dataSource), Math.min(batchSize, accountsMax), except),
      apply: grantDueOfAccounts,
    });
  }

  run(batchSize: number): Promise<number> {
    return this.batches.run(batchSize);
  }
}
