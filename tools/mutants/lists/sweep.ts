import { type Mutant } from '../mutant.js';
import { inFunction, inSql } from '../planting/fault.js';

const sweeps = 'apps/billing/src/sweep/sweep.service.ts';
const repository = 'apps/billing/src/sweep/sweep.repository.ts';
const batches = 'apps/billing/src/sweep-steps/account-sweep-step.ts';
const bySweep = ['apps/billing/src/sweep/sweep.service.int-spec.ts'];
const byLock = ['apps/billing/src/sweep/sweep-lock.int-spec.ts'];

const oldKeys = 'apps/billing/src/api-keys/old-keys.step.ts';
const byOldKeys = ['apps/billing/src/api-keys/old-keys.int-spec.ts'];

export const sweep: readonly Mutant[] = [
  {
    name: 'a deleted key that took credits is looked at by each sweep',
    file: oldKeys,
    fault: inSql('SET is_kept = true').replaceWith('SET is_kept = false'),
    killedBy: byOldKeys,
  },
  {
    name: 'keys that are in use are deleted',
    file: oldKeys,
    fault: inSql('deleted_at IS NOT NULL AND NOT is_kept AND deleted_at <=').replaceWith(
      'NOT is_kept AND coalesce(deleted_at, created_at) <=',
    ),
    killedBy: byOldKeys,
  },
  {
    name: 'orders that were never paid stay',
    file: 'apps/billing/src/orders/old-orders.step.ts',
    fault: inSql("state IN ('expired', 'failed') AND").replaceWith("state IN ('expired') AND"),
    killedBy: ['apps/billing/src/sweep/retention.int-spec.ts'],
  },
  {
    name: 'the sweep does nothing',
    file: sweeps,
    fault: inFunction('runStep').replace('await this.transactions.runAlone($$$)', '0'),
    killedBy: bySweep,
  },
  {
    name: 'the sweep ends after one batch',
    file: sweeps,
    fault: inFunction('runStep').replace(
      'while ($GOESON) $BATCH;',
      'if ($GOESON) for (const _ of [1]) $BATCH',
    ),
    killedBy: ['apps/billing/src/sweep/sweep-batches.int-spec.ts'],
  },
  {
    name: 'overdue charges are not swept',
    file: 'apps/billing/src/sweep/overdue-charges.step.ts',
    fault: inFunction('apply').replace('this.overdue.voidAll($$$)', 'Promise.resolve(0)'),
    killedBy: bySweep,
  },
  {
    name: 'the sweep does not lock accounts',
    file: batches,
    fault: inFunction('applyTo').replace(
      'this.transactions.run($IDS, $WORK, $$$)',
      `this.transactions.transactions.run(async (transaction) => {
         const [{ now }] = await transaction.query('read clock', 'SELECT ledger_now() AS now');
         return ($WORK)({ ...transaction, now, accountIds: new Set($IDS), busyIds: new Set() });
       })`,
    ),
    killedBy: byLock,
  },
  {
    name: 'the sweep waits for an account that somebody else holds',
    file: batches,
    fault: inFunction('applyToAll').replace('({ skipBusy: true })', '{}'),
    killedBy: byLock,
  },
  {
    name: 'an account that is always busy is never swept',
    file: batches,
    fault: inFunction('finish').replace('await this.applyPatiently($$$)', '0'),
    killedBy: byLock,
  },
  {
    name: 'half of an expired lot is written off',
    file: 'apps/billing/src/sweep/expired-lots.step.ts',
    fault: inFunction('apply').replace('credits: -$REMAINING', 'credits: -Math.ceil($REMAINING / 2)'),
    killedBy: bySweep,
  },
  {
    name: 'a lot is not written off at the instant of its expiry',
    file: repository,
    fault: inSql('expires_at <= (SELECT').replaceWith('expires_at < (SELECT'),
    killedBy: bySweep,
  },
  {
    name: 'an account that cannot be swept keeps the others from it',
    file: batches,
    fault: inFunction('applyToAll').replace('return this.applyToEach($$$);', 'throw error;'),
    killedBy: bySweep,
  },
  {
    name: 'a tombstone is forgotten after an hour',
    file: repository,
    fault: inSql("interval '24 hours'").replaceWith("interval '1 hour'"),
    killedBy: bySweep,
  },
  {
    name: 'a refusal is forgotten while its message may still come again',
    file: repository,
    fault: inSql("interval '60 seconds'").replaceWith("interval '1 second'"),
    killedBy: bySweep,
  },
  {
    name: 'charges that were not refused are forgotten too',
    file: repository,
    fault: inSql("state = 'refused' AND").replaceWith("state IN ('refused', 'posted') AND"),
    killedBy: bySweep,
  },
  {
    name: 'a refused call is a use of its key',
    file: 'apps/billing/src/api-keys/api-key.entity.ts',
    fault: inSql("AND state <> 'refused'").remove(),
    killedBy: bySweep,
  },
];
