import { type Mutant } from '../mutant.js';
import { inFile, inFunction, inSql } from '../planting/fault.js';

const sweeps = 'apps/billing/src/sweep/sweep.service.ts';
const lots = 'apps/billing/src/sweep/expired-lots.step.ts';
const refusals = 'apps/billing/src/sweep/refused-charges.step.ts';
const batches = 'apps/billing/src/sweep-steps/account-batches.ts';
const bySweep = ['apps/billing/src/sweep/sweep.service.int-spec.ts'];
const byLock = ['apps/billing/src/sweep/sweep-lock.int-spec.ts'];

export const sweep: readonly Mutant[] = [
  {
    name: 'the sweep does nothing',
    file: sweeps,
    fault: inFunction('runStep').replace('await runAlone($$$)', '0'),
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
    fault: inFile.replace('apply: voidOverdueCharges', 'apply: () => Promise.resolve(0)'),
    killedBy: bySweep,
  },
  {
    name: 'the sweep does not lock accounts',
    file: batches,
    fault: inFunction('applyTo').replace(
      'withLockedAccounts($SOURCE, $IDS, $WORK, $$$)',
      `$SOURCE.transaction(async (manager) => {
         const query = (sql, parameters) => manager.query(sql, parameters);
         const [{ now }] = await query('SELECT ledger_now() AS now');
         return ($WORK)({ now, accountIds: new Set($IDS), busyIds: new Set(), query, onCommit: () => undefined });
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
    file: lots,
    fault: inFunction('expireLots').replace('credits: -$REMAINING', 'credits: -Math.ceil($REMAINING / 2)'),
    killedBy: bySweep,
  },
  {
    name: 'a lot is not written off at the instant of its expiry',
    file: lots,
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
    file: 'apps/billing/src/sweep/old-tombstones.step.ts',
    fault: inSql("interval '24 hours'").replaceWith("interval '1 hour'"),
    killedBy: bySweep,
  },
  {
    name: 'a refusal is forgotten while its message may still come again',
    file: refusals,
    fault: inSql("interval '60 seconds'").replaceWith("interval '1 second'"),
    killedBy: bySweep,
  },
  {
    name: 'charges that were not refused are forgotten too',
    file: refusals,
    fault: inSql("state = 'refused' AND").replaceWith("state IN ('refused', 'posted') AND"),
    killedBy: bySweep,
  },
  {
    name: 'a refused call is a use of its key',
    file: 'apps/billing/src/api-keys/api-keys.repository.ts',
    fault: inSql("AND state <> 'refused'").remove(),
    killedBy: bySweep,
  },
];
