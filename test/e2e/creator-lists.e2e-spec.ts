import { Readable } from 'node:stream';
import { eventually } from '#testing';
import { runCommand } from '../../tools/cli/cli.fixture.js';
import { environment } from '../support/environment.js';
import { KeyPool } from '../support/key-pool.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const pool = new KeyPool();

const cli = (words: string, stdin = '') =>
  runCommand(words.split(' '), {
    stdin: Readable.from([Buffer.from(stdin)]),
    environment: { ADMIN_URL: environment.adminUrl, ADMIN_TOKEN: environment.adminToken },
  });

it('creators of a source are exported, unchanged when that is imported, and hidden from searches within a second', async () => {
  const source = `list-${catalog.marker}`;
  const records = ['ada', 'bob', 'cyd'].map((name) => catalog.record(name));
  catalog.adopt(...records.map(({ slug }) => slug));
  const lines = records.map((record) => JSON.stringify(record)).join('\n');
  expect(await cli(`creators import - --source ${source}`, lines)).toMatchObject({ code: 0 });

  const { stdout: exported } = await cli(`creators export --source ${source}`);
  const again = await cli('creators import - --json', exported);
  expect(JSON.parse(again.stdout)).toMatchObject({ received: 3, unchanged: 3 });

  expect((await cli(`creators unpublish --source ${source} --yes`)).stdout).toBe('3 creators are hidden.\n');
  await eventually(
    async () => expect(await pool.search({ country: catalog.country })).toMatchObject({ total: 0 }),
    1_000,
  );
});
