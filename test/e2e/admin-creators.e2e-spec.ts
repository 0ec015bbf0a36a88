import { eventually } from '#testing';
import { admin } from '../support/admin-api.js';
import { createFundedAccount } from '../support/accounts.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const pool = new KeyPool();

// What a removal keeps out, its proof and its end: apps/catalog/src/removals/removals.service.int-spec.ts.
it('an operator hides, deletes and removes a creator within a second; one who was removed stays out', async () => {
  const { key } = await createFundedAccount();
  const record = catalog.record('toggled', { name: 'Toggled creator' });
  catalog.adopt(record.slug);
  const call = (method: string, body?: object, path = '') =>
    admin.call(method, `/creators/${record.slug}${path}`, body);
  const seen = (expected: [found: number, profile: number]): Promise<void> =>
    eventually(async () => {
      const { total } = await pool.search({ country: catalog.country, q: record.name });
      expect([total, (await api.profile(record.slug, key)).status]).toEqual(expected);
    }, 1_000);
  const steps = [
    ['PUT', record, '', 201, [1, 200]],
    ['PATCH', { published: false }, '', 200, [0, 404]],
    ['PATCH', { published: true }, '', 200, [1, 200]],
    ['DELETE', undefined, '', 200, [0, 404]],
    ['PUT', record, '', 201, [1, 200]],
    ['POST', { reference: 'request of 2026-11-02' }, '/remove', 201, [0, 404]],
  ] as const;
  const statuses: number[] = [];
  for (const [method, body, path, , expected] of steps) {
    statuses.push((await call(method, body, path)).status);
    await seen([...expected]);
  }
  expect(statuses).toEqual(steps.map(([, , , status]) => status));
  expect((await call('PATCH', { name: 'New' })).status).toBe(400);
  const after = [await call('GET'), await call('DELETE'), await call('PATCH', { published: true })];
  expect(after.map(({ status }) => status)).toEqual([404, 404, 409]);
});
