import { textVersion } from '#contracts';
import { createLogger } from '#platform';
import { TransactionRunner } from '#platform/database';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { searchWith } from '../search/compared-engines.fixture.js';
import { recordOf } from './creator-records.fixture.js';
import { Refolding } from './refolding.js';

const logger = createLogger({ service: 'catalog', level: 'silent', pretty: false });

let catalog: CatalogFixture;
beforeEach(async () => (catalog = await openCatalog()));
afterEach(() => catalog.close());

/** That of a replica. */
function refolding(): Refolding {
  const { dataSource } = catalog;
  return new Refolding(new TransactionRunner(dataSource), logger);
}

async function refoldAll(): Promise<number> {
  const one = refolding();
  let chunks = 1;
  while (await one.next()) chunks += 1;
  return chunks;
}

/** Stores texts as a service did that dropped every mark. */
const asBeforeSql = `
  UPDATE creators SET text_version = '1', search_text = 'ハナ', content_hash = 'another',
    folded_country = '日本', folded_languages = '{ヘンカリ}', folded_categories = '{ケーム}'`;

const record = recordOf('bana', {
  name: 'バナ',
  country: 'ガーナ',
  languages: ['ベンガリ'],
  categories: ['ゲーム'],
});
const search = { q: 'バナ', country: 'ガーナ', language: 'ベンガリ' };
const totals = async (request: object): Promise<number[]> => {
  const { bitmap, sql } = catalog.engines;
  return [(await searchWith(bitmap, request)).total, (await searchWith(sql, request)).total];
};
const versions = () =>
  catalog.query('SELECT text_version AS version, count(*)::integer FROM creators GROUP BY 1 ORDER BY 1');

it('searches by the new rule in memory at once, in SQL once texts are folded again, as an import would store them', async () => {
  await catalog.importRecords([record]);
  const stored = () => catalog.query('SELECT * FROM creators');
  const before = await stored();
  await catalog.query(`${asBeforeSql}, account_keys = '{}'`);
  expect(await totals(search)).toEqual([1, 0]);
  expect(await totals({ q: 'ハナ' })).toEqual([0, 1]);
  expect(await refoldAll()).toBe(1);
  expect(await totals(search)).toEqual([1, 1]);
  expect(await totals({ q: 'ハナ' })).toEqual([0, 0]);
  expect(await versions()).toEqual([{ version: textVersion, count: 1 }]);
  expect(await stored()).toEqual(before);
});

it('goes on in chunks, where another replica has ended, and leaves what a newer one has stored', async () => {
  await catalog.importRecords(Array.from({ length: 450 }, (_, number) => recordOf(`creator-${number}`)));
  await catalog.query(
    `UPDATE creators SET text_version = CASE slug WHEN 'creator-7' THEN '2/unicode-99.0' ELSE '1' END`,
  );
  expect(await refolding().next()).toBe(true);
  expect(await versions()).toEqual([
    { version: '1', count: 249 },
    { version: textVersion, count: 200 },
    { version: '2/unicode-99.0', count: 1 },
  ]);
  await Promise.all([refoldAll(), refoldAll()]);
  await refoldAll();
  expect(await versions()).toEqual([
    { version: textVersion, count: 449 },
    { version: '2/unicode-99.0', count: 1 },
  ]);
  const [state] = await catalog.query<{ revision: string }>('SELECT revision FROM catalog_state');
  expect(await refoldAll()).toBe(1);
  expect(await catalog.query('SELECT revision FROM catalog_state')).toEqual([state]);
});
