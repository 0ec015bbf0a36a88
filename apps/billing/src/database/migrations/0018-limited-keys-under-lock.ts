import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { chargeIfUnchanged } from './0011-charge-if-unchanged.js';

/**
 * Charges of keys with a monthly limit are decided under the lock of their account: their replies say what has been spent, and a
 * search without a match is refused when less is left than a match would cost. `charge_if_unchanged` says `changed` for such keys,
 * so that replicas of the version before do the same; what it says about limits further down is no longer reached.
 */
export class LimitedKeysUnderLock1797120017000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const usableKeys = 'JOIN accounts ON accounts.id = used.account_id';
    await runner.query(chargeIfUnchanged.replace(usableKeys, `${usableKeys} AND monthly_limit IS NULL`));
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
