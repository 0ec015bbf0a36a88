import { TransactionRunner } from '#platform/database';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { RefreshListService } from './refresh-list.service.js';

let catalog: CatalogFixture;
let list: RefreshListService;
beforeAll(async () => {
  catalog = await openCatalog();
  list = new RefreshListService(new TransactionRunner(catalog.dataSource), catalog.demand);
});
afterAll(() => catalog.close());

it('records imported unchanged change nothing, and updated ones update', async () => {
  const full = recordOf('full', {
    tagline: 'a\nb',
    verified: true,
    website: 'https://a.example/',
    platforms: [
      accountOf({ handle: 'ada', url: 'https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv' }),
      accountOf({ platform: 'x', handle: 'zoe ' }),
    ],
  });
  await catalog.importRecords([full, recordOf('plain'), recordOf('hidden', { published: false })]);
  const { value, bytes } = await list.records(['hidden', 'full', 'nobody', 'plain']);
  expect(value).toEqual({ returned: 3 });
  const lines = bytes.toString().trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { slug: string }).slug)).toEqual([
    'hidden',
    'full',
    'plain',
  ]);
  expect(await catalog.importLines(lines)).toMatchObject({ received: 3, unchanged: 3, rejected: 0 });
  const updated = lines.map((line) => line.replaceAll('"followers":1000', '"followers":1001'));
  expect(await catalog.importLines(updated)).toMatchObject({ updated: 3 });
});

it('pages continue where the one before ended, as of the same moment', async () => {
  const ages = [400, 300, 200, 100, 10];
  await catalog.importRecords(
    ages.map((days) =>
      recordOf(`aged-${days}`, {
        country: 'Old',
        platforms: [accountOf({ updated_at: new Date(Date.now() - days * 86_400_000).toISOString() })],
      }),
    ),
  );
  await catalog.demand.add(new Map([['aged-10', 1]]));
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list.slugs({ country: 'old', limit: 2, ...(cursor ? { cursor } : {}) });
    found.push(...page.items);
    cursor = page.next_cursor;
  }
  expect(found).toEqual(['aged-10', 'aged-400', 'aged-300', 'aged-200', 'aged-100']);
});

it.each(['x', 'bnVsbA', Buffer.from('[1,true,"a","b"]').toString('base64url')])(
  'refuses a cursor of another list: %s',
  async (cursor) => {
    await expect(list.slugs({ limit: 1, cursor })).rejects.toMatchObject({
      details: { cursor: [expect.any(String)] },
    });
  },
);
