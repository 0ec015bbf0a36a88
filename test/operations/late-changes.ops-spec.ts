import { type Stack } from '@app/local-stack';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin, type Key, succeeded } from '../support/admin-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';
import { Stalls } from './support/stalls.js';

/** The default of a message, and of the admin API. */
const deadlineMs = 5_000;
const catalog = new SuiteCatalog();

let stack: Stack;
let stalls: Stalls;

beforeAll(async () => {
  stack = await startOperatedStack({ replicas: { gateway: 1, catalog: 2, billing: 2 } });
  stalls = new Stalls(stack);
}, 120_000);

afterEach(() => stalls.resumeAll());
afterAll(async () => {
  stalls?.close();
  await stack?.stop();
});

const keyPath = ({ id, keyId }: TestAccount): string => `/accounts/${id}/keys/${keyId}`;

async function isActive(account: TestAccount): Promise<boolean> {
  return succeeded(await admin.call<Key>('GET', keyPath(account))).active;
}

const setActive = (account: TestAccount, active: boolean) =>
  admin.call<Key>('PATCH', keyPath(account), { active });

/** A creator that is stored but hidden. */
async function hiddenCreator(name: string): Promise<string> {
  const record = catalog.record(name, { published: false });
  await catalog.import([record]);
  return record.slug;
}

describe('a change whose first delivery stalls, and a newer one that is confirmed', () => {
  it('a key stays switched off', async () => {
    const account = await createFundedAccount();
    const { reply, resume } = await stalls.takenByPaused('billing', () => setActive(account, true));
    await reply;
    expect((await setActive(account, false)).status).toBe(200);
    await resume();
    expect(await isActive(account)).toBe(false);
  }, 60_000);

  it('a creator that was taken down does not come back', async () => {
    const record = catalog.record('taken-down');
    await catalog.import([record]);
    const put = () => admin.call('PUT', `/creators/${record.slug}`, { ...record, tagline: 'late' });
    const { reply, resume } = await stalls.takenByPaused('catalog', put);
    await reply;
    expect((await admin.call('DELETE', `/creators/${record.slug}`)).status).toBe(200);
    await resume();
    expect((await admin.call('GET', `/creators/${record.slug}`)).status).toBe(404);
  }, 60_000);
});

describe('nothing is committed after the 503', () => {
  it('of a change to an account that another session held for too long', async () => {
    const account = await createFundedAccount();
    await setActive(account, false);
    const lock = `SELECT FROM accounts WHERE id = '${account.id}' FOR UPDATE`;
    await stalls.whileLocked('billing', lock, async ({ release }) => {
      expect((await setActive(account, true)).status).toBe(503);
      await release();
      await stalls.quiet('billing');
      expect(await isActive(account)).toBe(false);
    });
  }, 60_000);

  it('of a change to creators that another writer held up for too long', async () => {
    const slug = await hiddenCreator('held-up');
    const lock = 'UPDATE catalog_state SET revision = revision';
    await stalls.whileLocked('catalog', lock, async ({ release }) => {
      const { status } = await admin.call('PATCH', `/creators/${slug}`, { published: true });
      expect(status).toBe(503);
      await release();
      await stalls.quiet('catalog');
      expect((await admin.call('GET', `/creators/${slug}`)).body).toMatchObject({ published: false });
    });
  }, 60_000);

  it('by replicas that were paused in the middle of the change, and go on in a transaction that still stands', async () => {
    const slug = await hiddenCreator('paused');
    const lock = 'UPDATE catalog_state SET revision = revision';
    await stalls.whileLocked('catalog', lock, async ({ release, waitedFor }) => {
      const change = admin.call('PATCH', `/creators/${slug}`, { published: true });
      await waitedFor(deadlineMs / 2);
      const replicas = [stack.replica('catalog', 0), stack.replica('catalog', 1)];
      for (const replica of replicas) replica.kill('SIGSTOP');
      await release();
      expect((await change).status).toBe(503);
      for (const replica of replicas) replica.kill('SIGCONT');
      await stalls.quiet('catalog');
      expect((await admin.call('GET', `/creators/${slug}`)).body).toMatchObject({ published: false });
    });
  }, 60_000);
});
