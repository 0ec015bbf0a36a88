import { createAdminLog } from '#platform/database';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { accounts } from './0001-schema/accounts.js';
import { administration } from './0001-schema/administration.js';
import { ledger } from './0001-schema/ledger.js';
import { ledgerMonths } from './0001-schema/ledger-months.js';
import { lots } from './0001-schema/lots.js';
import { notices } from './0001-schema/notices.js';
import { orders } from './0001-schema/orders.js';
import { signIn } from './0001-schema/sign-in.js';

/** The schema of 1.0.0. Each part refers only to those before it. */
export class Schema1797200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const parts = [accounts, signIn, notices, lots, orders, ledger, ledgerMonths, administration];
    for (const statements of [...parts, ...createAdminLog]) await runner.query(statements);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
