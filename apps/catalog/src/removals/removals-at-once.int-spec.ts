import fc from 'fast-check';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

const reference = 'r';
const withHandle = (slug: string, handle: string) =>
  recordOf(slug, { platforms: [accountOf({ platform: 'instagram', handle })] });

it('whatever is imported, put and removed at once, in any order: nobody stored has what a removal keeps out', async () => {
  const person = fc.record({
    slug: fc.constantFrom('p1', 'p2', 'p3', 'p4'),
    handle: fc.constantFrom('h1', 'h2', 'h3', 'h4'),
  });
  const step = fc.oneof(
    person.map(
      ({ slug, handle }) =>
        () =>
          catalog.importRecords([withHandle(slug, handle)]),
    ),
    person.map(
      ({ slug, handle }) =>
        () =>
          catalog.creators.put(slug, withHandle(slug, handle)),
    ),
    person.map(
      ({ slug }) =>
        () =>
          catalog.removals.remove({ slug, reference }),
    ),
    person.map(
      ({ handle }) =>
        () =>
          catalog.removals.remove({ accounts: [{ platform: 'instagram', handle }], reference }),
    ),
  );
  const broken = `
    SELECT slug FROM creators CROSS JOIN LATERAL (
      SELECT 'slug/' || slug AS key UNION ALL SELECT unnest(account_keys)
    ) AS named
    JOIN removal_keys ON hash = removal_hash((SELECT removal_secret FROM catalog_state), key)`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
      async (rounds) => {
        for (const round of rounds) {
          const outcomes = await Promise.allSettled(round.map((run) => run()));
          for (const outcome of outcomes) {
            if (outcome.status === 'rejected') {
              expect(['conflict', 'not_found']).toContain((outcome.reason as { code: string }).code);
            }
          }
          expect(await catalog.query(broken)).toEqual([]);
        }
        const { items } = await catalog.removals.list({ limit: 200 });
        for (const { id } of items) await catalog.removals.readmit(id);
      },
    ),
    { numRuns: 15 },
  );
});
