import { type ServiceName, serviceNames, type Stack } from '@app/local-stack';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { Consumer, type Receipt } from '../support/consumers.js';
import { KeyPool } from '../support/key-pool.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

/** How long each service is restarted again and again. */
const seconds = Number(process.env.ROLLOUT_SECONDS ?? 4);
const consumerCount = 6;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');

let stack: Stack;
let consumers: Consumer[] = [];

beforeAll(async () => {
  stack = await startOperatedStack({ replicas: { gateway: 2, catalog: 2, billing: 2 } });
  await catalog.importVisible([creator], new KeyPool());
  const accounts = await Promise.all(
    Array.from({ length: consumerCount }, () => createFundedAccount({ credits: 1_000_000, keys: 5 })),
  );
  consumers = accounts.map((account) => new Consumer(account, creator.slug, false));
}, 120_000);

afterAll(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  await stack?.stop();
});

it.each(serviceNames)(
  'of %s, one replica after the other under load, loses no call',
  async (service: ServiceName) => {
    const startedAt = performance.now();
    let restarts = 0;
    while (restarts === 0 || performance.now() - startedAt < seconds * 1_000) {
      const before = stack.pids[service];
      await stack.restartService(service);
      expect(stack.pids[service].filter((pid) => before.includes(pid))).toEqual([]);
      restarts += before.length;
    }
    const receipts = receiptsSince(startedAt);
    const failed = receipts.filter(({ status, expected }) => status !== expected);
    const slowestMs = Math.max(...receipts.map((receipt) => receipt.endedAt - receipt.startedAt));
    process.stdout.write(
      `${service}: ${restarts} restarts, ${receipts.length} calls, ${failed.length} failed, slowest ${Math.round(slowestMs)} ms\n`,
    );
    expect(receipts.length).toBeGreaterThan(100);
    expect(failed).toEqual([]);
  },
  60_000 + seconds * 2_000,
);

it('leaves no discrepancy in the ledger', async () => {
  expect((await admin.audit()).ok).toBe(true);
});

function receiptsSince(since: number): Receipt[] {
  return consumers.flatMap(({ receipts }) => receipts.filter(({ startedAt }) => startedAt >= since));
}
