import { TransactionRunner } from '@app/platform/database';
import { sha256 } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { SELLING_OPTIONS, type SellingOptions } from '../provider/selling-options.js';

const readSql = 'SELECT read_until FROM reconciliation_cursor WHERE key_hash = $1';

/** It never goes back, unless the key is another one: what was listed with that says nothing about this one's account. */
const moveSql = `
  UPDATE reconciliation_cursor SET key_hash = $1, read_until = $2::timestamptz
  WHERE key_hash IS DISTINCT FROM $1 OR read_until < $2::timestamptz`;

/** How far the events of Stripe have been read with the key that is set, over all replicas. By the clock of this process. */
@Injectable()
export class ReconciliationCursorRepository {
  constructor(
    private readonly database: TransactionRunner,
    @Inject(SELLING_OPTIONS) private readonly options: SellingOptions,
  ) {}

  /** `null`: never with this key. */
  async read(): Promise<Date | null> {
    const { query } = this.database;
    const [row] = await query<{ read_until: Date }>('read reconciliation cursor', readSql, [this.keyHash]);
    return row?.read_until ?? null;
  }

  async move(readUntil: Date): Promise<void> {
    await this.database.query('move reconciliation cursor', moveSql, [this.keyHash, readUntil]);
  }

  private get keyHash(): string {
    return sha256(`reconciliation ${this.options.secretKey}`);
  }
}
