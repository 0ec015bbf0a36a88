const bySweep = ['apps/billing/src/sweep/sweep.service.int-spec.ts'];
const lots = 'apps/billing/src/sweep/expired-lots.step.ts';
const repository = 'apps/billing/src/sweep/sweep.repository.ts';

export const sweep = [
  {
    name: 'the sweep does nothing',
    file: 'apps/billing/src/sweep/sweep.service.ts',
    from: 'await this.transactions.runAlone(sweepLock, () => step.run(batchSize))',
    to: '0',
    killedBy: bySweep,
  },
  {
    name: 'the sweep ends after one batch',
    file: 'apps/billing/src/sweep/sweep.service.ts',
    from: 'while (!isStopped()) {',
    to: 'if (!isStopped()) for (const _ of [1]) {',
    killedBy: ['apps/billing/src/sweep/sweep-batches.int-spec.ts'],
  },
  {
    name: 'overdue charges are not swept',
    file: 'apps/billing/src/sweep/overdue-charges.step.ts',
    from: 'return this.overdue.voidAll(locked, batchSize);',
    to: 'return Promise.resolve(0);',
    killedBy: bySweep,
  },
  {
    name: 'the sweep does not lock accounts',
    file: 'apps/billing/src/sweep-steps/account-sweep-step.ts',
    from: 'return this.transactions.run(',
    to: `const unlocked = (ids, work) =>
      this.transactions.transactions.run(async (transaction) => {
        const [{ now }] = await transaction.query('clock', 'SELECT ledger_now() AS now');
        return work({ ...transaction, now, accountIds: new Set(ids), busyIds: new Set() });
      });
    return unlocked(`,
    killedBy: ['apps/billing/src/sweep/sweep-lock.int-spec.ts'],
  },
  {
    name: 'the sweep waits for an account that somebody else holds',
    file: 'apps/billing/src/sweep-steps/account-sweep-step.ts',
    from: 'return await this.applyTo(accountIds, batchSize, { skipBusy: true });',
    to: 'return await this.applyTo(accountIds, batchSize, {});',
    killedBy: ['apps/billing/src/sweep/sweep-lock.int-spec.ts'],
  },
  {
    name: 'an account that is always busy is never swept',
    file: 'apps/billing/src/sweep-steps/account-sweep-step.ts',
    from: 'const done = await this.applyPatiently(accountId, batchSize);',
    to: 'const done = 0;',
    killedBy: ['apps/billing/src/sweep/sweep-lock.int-spec.ts'],
  },
  {
    name: 'half of an expired lot is written off',
    file: lots,
    from: 'credits: -lot.remaining,',
    to: 'credits: -Math.ceil(lot.remaining / 2),',
    killedBy: bySweep,
  },
  {
    name: 'a lot is not written off at the instant of its expiry',
    file: repository,
    from: 'expires_at <= (SELECT ledger_now())',
    to: 'expires_at < (SELECT ledger_now())',
    killedBy: bySweep,
  },
  {
    name: 'an account that cannot be swept keeps the others from it',
    file: 'apps/billing/src/sweep-steps/account-sweep-step.ts',
    from: 'return this.applyToEach(accountIds, batchSize);',
    to: 'throw error;',
    killedBy: bySweep,
  },
  {
    name: 'a tombstone is forgotten after an hour',
    file: repository,
    from: "interval '24 hours'",
    to: "interval '1 hour'",
    killedBy: bySweep,
  },
  {
    name: 'a refusal is forgotten while its message may still come again',
    file: repository,
    from: "interval '60 seconds'",
    to: "interval '1 second'",
    killedBy: bySweep,
  },
  {
    name: 'charges that were not refused are forgotten too',
    file: repository,
    from: "WHERE state = 'refused' AND",
    to: "WHERE state IN ('refused', 'posted') AND",
    killedBy: bySweep,
  },
  {
    name: 'a refused call is a use of its key',
    file: 'apps/billing/src/api-keys/api-key.entity.ts',
    from: " AND state <> 'refused'",
    to: '',
    killedBy: bySweep,
  },
];
