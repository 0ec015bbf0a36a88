import { eventually } from '#testing';
import { admin, type CreatorRecord, succeeded } from '../support/admin-api.js';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const pool = new KeyPool();
let account: TestAccount;

beforeAll(async () => (account = await createFundedAccount()));

const call = (method: string, slug: string, body?: unknown) =>
  admin.call<CreatorRecord & { total_reach: number }>(method, `/creators/${slug}`, body);

/** Stores a creator by `PUT` and gives its record. */
async function stored(name: string, changes: Partial<CreatorRecord> = {}): Promise<CreatorRecord> {
  const record = catalog.record(name, changes);
  catalog.adopt(record.slug);
  expect((await call('PUT', record.slug, record)).status).toBe(201);
  return record;
}

async function expectSeen(record: CreatorRecord, seen: boolean): Promise<void> {
  await eventually(async () => {
    const q = record.name;
    const search = await pool.search({ country: catalog.country, q });
    const profile = await api.profile(record.slug, account.key);
    expect([search.total, profile.status]).toEqual(seen ? [1, 200] : [0, 404]);
  }, 1_000);
}

describe('GET, PUT, DELETE and PATCH /creators/{slug}', () => {
  it('PATCH published and DELETE take effect within a second; after it there is nothing: 404', async () => {
    const record = await stored('toggled', { name: 'Toggled creator' });
    await expectSeen(record, true);
    expect((await call('PATCH', record.slug, { name: 'New' })).status).toBe(400);
    expect(await call('PATCH', record.slug, { published: false })).toMatchObject({
      status: 200,
      body: { published: false },
    });
    await expectSeen(record, false);
    await call('PATCH', record.slug, { published: true });
    await expectSeen(record, true);
    expect((await call('DELETE', record.slug)).status).toBeLessThan(300);
    await expectSeen(record, false);
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      const reply = await call(method, record.slug, method === 'PATCH' ? { published: true } : undefined);
      expect([reply.status, Object.keys(reply.body)]).toEqual([404, ['error']]);
    }
  });
});

interface Removal {
  readonly id: string;
  readonly removed_at: string;
  readonly deleted: { readonly creators: number; readonly accounts: number };
  readonly kept_out: readonly { readonly by: string }[];
  readonly digest: string;
}

describe('the removal of a creator', () => {
  const reference = 'request of 2026-11-02';
  const ended: string[] = [];
  afterAll(() => Promise.all(ended.map((id) => admin.call('DELETE', `/removals/${id}`))));

  it('takes effect within a second, and no import, PUT or PATCH undoes it until it is ended', async () => {
    const record = await stored('asks', { name: 'Asks to be removed' });
    await expectSeen(record, true);
    const reply = await admin.call<Removal>('POST', `/creators/${record.slug}/remove`, { reference });
    expect(reply).toMatchObject({ status: 201, body: { deleted: { creators: 1, accounts: 1 } } });
    ended.push(reply.body.id);
    await expectSeen(record, false);

    const other = { ...record, slug: `${record.slug}-renamed` };
    catalog.adopt(other.slug);
    const report = succeeded(await admin.importCreators([record, other]));
    expect(report).toMatchObject({ received: 2, created: 0, removed: 2, rejected: 0, errors: [] });
    const on = reply.body.removed_at.slice(0, 10);
    for (const [method, body] of [
      ['PUT', record],
      ['PATCH', { published: true }],
    ] as const) {
      const refused = await call(method, record.slug, body);
      expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining(on)]);
    }
    await expectSeen(record, false);

    const proof = succeeded(await admin.call<Removal>('GET', `/removals/${reply.body.id}`));
    expect(proof).toEqual(reply.body);
    expect(succeeded(await admin.call<Removal>('DELETE', `/removals/${proof.id}`))).toEqual(proof);
    expect((await call('PUT', record.slug, record)).status).toBe(201);
    await expectSeen(record, true);
  });
});
