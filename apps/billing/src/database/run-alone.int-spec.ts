import { TransactionRunner } from '@app/platform/database';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';

const ledger = useAuditedLedger();
const lock = 1_234_567;
const runner = () => ledger.get(TransactionRunner);

async function isFree(): Promise<boolean> {
  return (await runner().runAlone(lock, () => Promise.resolve('run'))) === 'run';
}

describe('work under an advisory lock', () => {
  it('keeps other work out until it ends, whether it succeeds or fails', async () => {
    expect(await runner().runAlone(lock, isFree)).toBe(false);
    expect(await isFree()).toBe(true);
    const failing = runner().runAlone(lock, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await isFree()).toBe(true);
  });

  it('keeps other work out even for longer than a writing transaction may be idle', async () => {
    const outcome = await runner().runAlone(lock, async () => {
      await ledger.query('SELECT pg_sleep(2.5)');
      return isFree();
    });
    expect(outcome).toBe(false);
  });

  it('is done even when the lock is lost meanwhile', async () => {
    const outcome = await runner().runAlone(lock, async () => {
      const ended = await ledger.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1`,
        [lock],
      );
      // The session ends a moment after it was terminated.
      const holders = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1`;
      while ((await ledger.query(holders, [lock])).length > 0);
      return ended.length;
    });
    expect(outcome).toBe(1);
    expect(await isFree()).toBe(true);
  });
});
