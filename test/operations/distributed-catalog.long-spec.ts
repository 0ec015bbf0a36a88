import { migrateDatabase, type Stack } from '#dev';
import {
  type CitusLayout,
  eventually,
  isCitusWithinReach,
  killPostgres,
  restartPostgres,
  runSql,
  startCitus,
} from '#testing';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { api } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

const answeredWithinMs = 5_000;
const comesBackWithinMs = 30_000;

describe('a catalog whose creators Citus has distributed over two workers', () => {
  const catalog = new SuiteCatalog();
  const records = Array.from({ length: 64 }, (_, at) => catalog.record(`one-${at}`));
  let layout: CitusLayout | undefined;
  let stack: Stack | undefined;

  beforeAll(async () => {
    if (!(await isCitusWithinReach())) {
      process.stderr.write('This machine lacks Citus: nothing was tried.\n');
      return;
    }
    layout = await startCitus();
    stack = await startOperatedStack(layout.options);
    await catalog.importVisible(records);
  }, 180_000);

  afterAll(async () => {
    await stack?.stop();
    await layout?.stop();
  });

  it('is neither migrated nor served with SEARCH_ENGINE=bitmap', async () => {
    if (!layout) return;
    const { catalogUrl: url } = layout;
    const migrating = migrateDatabase('catalog', { CATALOG_DATABASE_URL: url, SEARCH_ENGINE: 'bitmap' });
    await expect(migrating).rejects.toThrow(
      'set SEARCH_ENGINE=sql for every catalog and for its migration job',
    );
    expect(await runSql(url, `SELECT FROM pg_indexes WHERE indexname = 'creators_by_text'`)).toHaveLength(1);
  });

  it('answers 503 with Retry-After while a worker is down, charges nothing for it, and goes on when the worker is back', async () => {
    const worker = layout?.workers[0];
    if (!worker) return;
    const { key } = await createFundedAccount({ credits: 1_000 });
    const search = () => api.search({ country: catalog.country }, key);
    expect((await search()).body.total).toBe(records.length);
    const creditsLeft = async () => (await api.balance(key)).body.credits_remaining;
    const before = await creditsLeft();
    await killPostgres(worker);
    const startedAt = performance.now();
    const refused = await search();
    expect(performance.now() - startedAt).toBeLessThan(answeredWithinMs);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) as string } });
    expect(await creditsLeft()).toBe(before);
    const profiles = await Promise.all(records.map(({ slug }) => api.profile(slug, key)));
    // Those on the other worker are answered, and paid.
    expect(new Set(profiles.map(({ status }) => status))).toEqual(new Set([200, 503]));
    await restartPostgres(worker);
    await eventually(async () => expect((await search()).body.total).toBe(records.length), comesBackWithinMs);
    expect((await admin.audit()).discrepancies).toEqual([]);
  }, 90_000);
});
