import { Logger } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { isDatabaseUnavailable } from '@app/platform';
import { withLockedAccounts, type LockedAccounts } from '../database/locked-accounts.js';

/** Due work by account. */
export interface AccountWork {
  readonly name: string;
  /** Accounts with something due, those in `except` left out; none: nothing is left. */
  readonly due: (batchSize: number, except: string[]) => Promise<string[]>;
  /** Does what is due for the locked accounts, having looked again; returns how much. */
  readonly apply: (locked: LockedAccounts, batchSize: number) => Promise<number>;
}

/**
 * Does due work in one transaction per batch of accounts. When that fails, each account is tried alone, and one that fails
 * alone is logged and left out until the next sweep, so that a damaged account never keeps the others from being swept.
 */
export class AccountBatches {
  private readonly logger: Logger;
  private readonly failed = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly work: AccountWork,
  ) {
    this.logger = new Logger(work.name);
  }

  async run(batchSize: number): Promise<number> {
    const accountIds = await this.work.due(batchSize, [...this.failed]);
    if (accountIds.length === 0) {
      this.failed.clear();
      return 0;
    }
    try {
      return await this.applyTo(accountIds, batchSize);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      return this.applyToEach(accountIds, batchSize);
    }
  }

  private applyTo(accountIds: string[], batchSize: number): Promise<number> {
    return withLockedAccounts(this.dataSource, accountIds, (locked) => this.work.apply(locked, batchSize));
  }

  private async applyToEach(accountIds: string[], batchSize: number): Promise<number> {
    let done = 0;
    for (const accountId of accountIds) {
      try {
        done += await this.applyTo([accountId], batchSize);
      } catch (error) {
        this.failed.add(accountId);
        done += 1;
        this.logger.error(new Error(`Account ${accountId} cannot be swept.`, { cause: error }));
      }
    }
    return done;
  }
}
