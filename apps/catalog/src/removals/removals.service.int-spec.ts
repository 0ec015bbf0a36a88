import fc from 'fast-check';
import { type Platform, platforms } from '#contracts';
import { sha256 } from '#platform';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { on, operator, recordOf } from '../creators/creator-records.fixture.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

const reference = 'request of 2026-11-02';
const anId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const aHash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
const notFound = { code: 'not_found' };
const stored = (slug: string) =>
  catalog.query<{ slug: string }>('SELECT slug FROM creators WHERE slug = $1', [slug]);
const withHandle = (slug: string, handle: string, platform: Platform = 'youtube', changes: object = {}) =>
  recordOf(slug, { platforms: [on(platform, handle, changes)] });

/** Dry run and import of one record; both have to say the same. */
async function importOne(record: object) {
  const { reports: compared } = await catalog.importFile([record], { purpose: 'compare' });
  const { reports } = await catalog.importFile([record]);
  expect(compared).toMatchObject(reports);
  return reports[0];
}

describe('the removal of a creator', () => {
  it('says when, why, what was deleted and what keeps it out, and has a digest that anyone can check', async () => {
    const accounts = [on('x', '@Proof'), on('youtube', 'proof')];
    await catalog.importRecords([recordOf('proof', { website: 'https://a.example/', platforms: accounts })]);
    const removal = await catalog.removals.remove({ slug: 'proof', reference, note: 'by mail' });
    const kept = await catalog.query('SELECT * FROM removals JOIN removal_keys ON id = removal_id');
    expect(
      JSON.stringify(kept, (_key, value: unknown) =>
        value instanceof Buffer ? value.toString('latin1') : value,
      ),
    ).not.toMatch(/proof/i);
    expect(removal).toEqual({
      id: anId,
      removed_at: expect.stringMatching(/^20/) as string,
      reference,
      note: 'by mail',
      deleted: {
        creators: 1,
        fields: ['slug', 'name', 'country', 'languages', 'website', 'categories', 'platforms'],
        accounts: 2,
      },
      kept_out: ['slug', 'x', 'youtube'].map((by) => ({ by, hash: aHash })),
      digest: aHash,
    });
    const { digest, ...proof } = removal;
    expect(sha256(JSON.stringify(proof))).toBe(digest);
    expect(await catalog.removals.show(removal.id)).toEqual(removal);
  });

  it('is in the log without the creator, whose earlier entries say only that there was a change', async () => {
    const by = operator('request');
    await catalog.creators.put('loggedslug', withHandle('loggedslug', 'loggedhandle'), by);
    await catalog.creators.publish('loggedslug', false, by);
    const removal = await catalog.removals.remove({ slug: 'loggedslug', reference }, by);
    await catalog.removals.readmit(removal.id, by);
    const entries = await catalog.query<{ action: string }>('SELECT * FROM admin_log ORDER BY id');
    expect(JSON.stringify(entries)).not.toMatch(/logged/);
    expect(entries).toMatchObject([
      { action: 'creator.created', subject: 'erased', after: null, erased_at: expect.any(Date) as Date },
      { action: 'creator.unpublished', subject: 'erased', before: null, token_name: 'Eva' },
      { action: 'creator.removed', subject: removal.id, before: null, after: removal, erased_at: null },
      { action: 'creator.readmitted', subject: removal.id, before: removal, after: null },
    ]);
  });

  it('takes everyone with it who has an account that is named, hidden ones too, and keeps all their accounts out', async () => {
    const both = [on('youtube', 'another'), on('x', 'second')];
    await catalog.importRecords([
      withHandle('named-1', 'first'),
      recordOf('named-2', { published: false, platforms: both }),
      withHandle('named-other', 'first', 'instagram'),
    ]);
    const accounts = [{ platform: 'x', handle: 'SECOND' }] as const;
    const { deleted } = await catalog.removals.remove({ slug: 'named-1', accounts, reference });
    expect(deleted).toMatchObject({ creators: 2, accounts: 3 });
    for (const name of ['1', '2']) expect(await stored(`named-${name}`)).toEqual([]);
    expect(await stored('named-other')).toHaveLength(1);
    expect(await importOne(withHandle('named-new', 'another'))).toMatchObject({ removed: 1 });
  });

  it('is refused without a creator, a second time, and when the accounts are those of many', async () => {
    await expect(catalog.removals.remove({ slug: 'nobody', reference })).rejects.toMatchObject(notFound);
    await catalog.importRecords([withHandle('twice', 'twice')]);
    const { id } = await catalog.removals.remove({ slug: 'twice', reference });
    await expect(catalog.removals.remove({ slug: 'twice', reference })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(id) as string,
    });
    const handles = Array.from({ length: 11 }, (_, at) => `many-${at}`);
    await catalog.importRecords(handles.map((handle) => withHandle(handle, handle)));
    const accounts = handles.map((handle) => ({ platform: 'youtube', handle }) as const);
    await expect(catalog.removals.remove({ accounts, reference })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('More than 10 creators') as string,
    });
    expect(await stored('many-3')).toHaveLength(1);
  });
});

describe('a removed creator stays out', () => {
  /** Handles of X have no periods. */
  const dotOn = (platform: Platform) => (platform === 'x' ? '_' : '.');
  const platformsOf = platforms.map((platform, at) => on(platform, `stays${dotOn(platform)}out${at}`));

  beforeAll(async () => {
    await catalog.importRecords([recordOf('stays-out', { platforms: platformsOf })]);
    await catalog.removals.remove({ slug: 'stays-out', reference });
  });

  it.each<[string, object]>([
    ['its slug', recordOf('stays-out')],
    ...platforms.map((platform, at): [string, object] => [
      `its handle on ${platform}, written differently`,
      withHandle(`other-${platform}`, `@STAYS${dotOn(platform)}Out${at}`, platform),
    ]),
    ['its link', withHandle('by-link', 'renamed', 'tiktok', { url: 'https://www.tiktok.com/@stays.out2' })],
    ['Facebook, where periods do not matter', withHandle('no-period', 'staysout3', 'facebook')],
  ])('by %s', async (_what, record) => {
    const report = await importOne(record);
    const reason = /^removed at the creator's request on \d{4}-\d\d-\d\d \(removal /;
    expect(report).toMatchObject({
      ...{ received: 1, created: 0, updated: 0, unchanged: 0, removed: 1, rejected: 0, errors: [] },
      removed_lines: [{ line: 1, reason: expect.stringMatching(reason) as string }],
    });
    const { slug } = record as { slug: string };
    expect(await stored(slug)).toEqual([]);
    await expect(catalog.creators.put(slug, record)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(new Date().toISOString().slice(0, 8)) as string,
    });
  });

  it('but not others: another platform, or a handle that only resembles it', async () => {
    expect(await importOne(withHandle('resembles-1', 'stays.out0', 'instagram'))).toMatchObject({
      created: 1,
    });
    expect(await importOne(withHandle('resembles-2', 'stays-out0'))).toMatchObject({ created: 1 });
  });
});

it.each(['@@', 'https://x.com/somebody'])('a removal by accounts refuses %s as a handle', async (handle) => {
  const accounts = [{ platform: 'x', handle }] as const;
  await expect(catalog.removals.remove({ accounts, reference })).rejects.toMatchObject({
    code: 'invalid_request',
    details: { 'accounts[0].handle': [expect.stringMatching(/handle must/)] },
  });
});

describe('ending a removal', () => {
  it('lets an import bring the creator back, unless another removal keeps them out', async () => {
    const record = withHandle('mistake', 'mistake');
    await catalog.importRecords([record]);
    const first = await catalog.removals.remove({ slug: 'mistake', reference });
    const accounts = [
      { platform: 'youtube', handle: 'mistake' },
      { platform: 'x', handle: 'also' },
    ] as const;
    const second = await catalog.removals.remove({ accounts, reference: 'another' });
    expect(await catalog.removals.readmit(first.id)).toEqual(first);
    expect(await importOne(record)).toMatchObject({ created: 0, removed: 1 });
    await catalog.removals.readmit(second.id);
    expect(await importOne(record)).toMatchObject({ removed: 0, rejected: 0 });
    expect(await stored('mistake')).toHaveLength(1);
    await expect(catalog.removals.readmit(first.id)).rejects.toMatchObject(notFound);
    await expect(catalog.removals.show(first.id)).rejects.toMatchObject(notFound);
  });
});

it('the list has every removal once, newest first', async () => {
  const made: string[] = [];
  for (const handle of ['a', 'b', 'c']) {
    const accounts = [{ platform: 'tiktok', handle: `listed-${handle}` }] as const;
    made.unshift((await catalog.removals.remove({ accounts, reference })).id);
  }
  const first = await catalog.removals.list({ limit: 2 });
  const second = await catalog.removals.list({ limit: 2, cursor: first.next_cursor ?? '' });
  expect([...first.items, ...second.items].map(({ id }) => id).slice(0, 3)).toEqual(made);
  await expect(catalog.removals.list({ limit: 2, cursor: 'x' })).rejects.toMatchObject({
    details: { cursor: [expect.any(String)] },
  });
});

it('whatever is imported, put and removed at once, in any order: nobody stored has what a removal keeps out', async () => {
  const names = fc.tuple(fc.constantFrom('p1', 'p2', 'p3', 'p4'), fc.constantFrom('h1', 'h2', 'h3', 'h4'));
  const does = fc.constantFrom<((slug: string, handle: string) => Promise<unknown>)[]>(
    (slug, handle) => catalog.importRecords([withHandle(slug, handle, 'instagram')]),
    (slug, handle) => catalog.creators.put(slug, withHandle(slug, handle, 'instagram')),
    (slug) => catalog.removals.remove({ slug, reference }),
    (_slug, handle) => catalog.removals.remove({ accounts: [{ platform: 'instagram', handle }], reference }),
  );
  const step = fc.tuple(does, names).map(
    ([run, [slug, handle]]) =>
      () =>
        run(slug, handle),
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
