import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type CliRun, runCommand } from '../../tools/cli/cli.fixture.js';
import { admin } from '../support/admin-api.js';
import { environment } from '../support/environment.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const { country, marker } = catalog;
const slugs = ['zoe', 'lukasz', 'bob'].map((name) => `${name}-${marker}`);
catalog.adopt(...slugs);
afterAll(() => catalog.remove());

/** As a spreadsheet program writes "Unicode text", of a list that someone else made. */
const list = (followersOfBob: string) =>
  [
    'Kürzel;Künstler;Kanal;Abonnenten;"Über, kurz";Sprachen;Themen;Stand',
    `${slugs[0]};Zoë ${marker};@zoe;1.2M;"Cooks ""slow"" food;\r\nand travels";Norwegian|English;Food & Drink;2026-01-31`,
    `${slugs[1]};Łukasz ${marker};lukasz;3,4K;;Polish;music, games;2026-01-31T12:00:00+01:00`,
    `${slugs[2]};Bob ${marker};@bob;${followersOfBob};;Spanish;music;2026-01-31`,
    `${slugs[2]};Bob ${marker};@bob2;5;;Spanish;music;2026-01-31`,
    '',
  ].join('\r\n');

const map =
  'slug=Kürzel,name=Künstler,youtube.handle=Kanal,youtube.followers=Abonnenten,tagline="Über, kurz",languages=Sprachen,' +
  'categories=Themen,youtube.updated_at=Stand';

function importTable(text: string, ...options: string[]): Promise<CliRun> {
  const words = [
    'creators',
    'import',
    '-',
    '--json',
    '--replace',
    '--map',
    map,
    '--set',
    `country=${country}`,
    ...options,
  ];
  const stdin = Readable.from([gzipSync(Buffer.from(`\uFEFF${text}`, 'utf16le'))]);
  return runCommand(words, {
    stdin,
    environment: { ADMIN_URL: environment.adminUrl, ADMIN_TOKEN: environment.adminToken },
  });
}

it('a table that someone else made: tried, imported, and corrected', async () => {
  const counts = { received: 4, created: 2, updated: 0, unchanged: 0, rejected: 2 };
  const errors = [
    {
      line: 5,
      error: expect.stringMatching(/^column "Abonnenten" is "12\.34": youtube\.followers must/) as string,
    },
  ];
  const tried = await importTable(list('12.34'), '--dry-run');
  expect(JSON.parse(tried.stdout)).toMatchObject({
    dry_run: true,
    ...counts,
    created: 3,
    rejected: 1,
    errors,
  });
  expect((await admin.call('GET', `/creators/${slugs[0]}`)).status).toBe(404);

  const duplicate = `duplicate slug: ${slugs[2]} is already on line 5; the first one counts`;
  const imported = await importTable(list('12.340'));
  expect(imported.code).toBe(1);
  expect(JSON.parse(imported.stdout)).toMatchObject({
    ...counts,
    created: 3,
    removed: 0,
    rejected: 1,
    errors: [{ line: 6, error: duplicate }],
    reasons: [{ reason: 'duplicate slug', lines: 1 }],
    unknown_names: [country],
    removed_lines: [],
  });
  expect((await admin.call('GET', `/creators/${slugs[0]}`)).body).toMatchObject({
    name: `Zoë ${marker}`,
    tagline: 'Cooks "slow" food;\r\nand travels',
    country,
    languages: ['Norwegian', 'English'],
    categories: ['food-drink'],
    platforms: [{ handle: '@zoe', followers: 1_200_000, updated_at: '2026-01-31T00:00:00.000Z' }],
  });
  const followers = async (slug = '') =>
    (await admin.call<{ total_reach: number }>('GET', `/creators/${slug}`)).body;
  expect(await followers(slugs[1])).toMatchObject({ total_reach: 3_400 });
  expect(await followers(slugs[2])).toMatchObject({ total_reach: 12_340 });

  const again = await importTable(list('12.340'), '--dry-run', '--accept-rejected');
  expect(JSON.parse(again.stdout)).toMatchObject({ dry_run: true, created: 0, unchanged: 3, rejected: 1 });
  expect(again.code).toBe(0);
});
