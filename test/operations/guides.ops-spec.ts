import { readdirSync } from 'node:fs';
import { runOrThrow } from '@app/local-stack';
import { eventually } from '@app/testing';
import { miraSolenne } from '../../tools/stack/sample.js';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { type CodeBlock, codeBlocksOf } from '../support/code-blocks.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { brazilianCount, brazilians } from './support/guide-creators.js';
import { guideTrials } from './support/guide-trials.js';
import { describeBlocks } from './support/page-trials.js';
import { Reader } from './support/reader.js';

const folder = 'docs/guides';
const blocksOf = (page: string): CodeBlock[] => codeBlocksOf(`${folder}/${page}`);
const first = 'README.md';
const guides = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== first);
const catalog = new SuiteCatalog();
let reader: Reader;

beforeAll(async () => {
  reader = await Reader.start(guides.flatMap(blocksOf));
  await catalog.import([miraSolenne, ...brazilians(catalog)]);
  const pool = new KeyPool();
  await eventually(async () => {
    expect((await pool.search({ country: 'Brazil', limit: 1 })).total).toBe(brazilianCount);
  }, 10_000);
}, 240_000);
afterAll(() => reader.stop());

for (const page of guides) describeBlocks(page, blocksOf(page), guideTrials[page] ?? [], () => reader);

it('an export in any language waits as long as the service says when its minute is used up', async () => {
  const account = await createFundedAccount();
  const used = await Promise.all(
    Array.from({ length: 60 }, () => api.search({ country: 'Nowhere' }, account.key)),
  );
  expect(used.every(({ status }) => status === 200)).toBe(true);
  expect((await api.search({}, account.key)).status).toBe(429);
  const blocks = blocksOf('export-a-search.md');
  await Promise.all(blocks.map((block) => reader.run(block, { account })));
  expect(blocks.map(({ language }) => language)).toEqual(['ts', 'sh', 'python']);
  // Nine pages, and the one that tells what the export will cost.
  expect(await admin.balance(account.id)).toBe(1_000 - 10 * 3);
}, 180_000);

it('the first page sets every variable that the guides read', async () => {
  const [setUp, ...others] = blocksOf(first);
  expect([setUp?.language, others]).toEqual(['sh', []]);
  const environment = { PATH: process.env.PATH };
  const output = await runOrThrow('bash', ['-euc', `${setUp?.code}\nenv`], { env: environment });
  const code = guides.flatMap(blocksOf).map((block) => block.code);
  const read = code.flatMap((text) => [...text.matchAll(/(?:\$|process\.env\.|environ\[')([A-Z_]+)/g)]);
  const names = [...new Set(read.map(([, name]) => name))].sort();
  expect(names).toEqual(['API_KEY', 'BASE_URL', 'SLUG']);
  for (const name of names) expect(output).toMatch(new RegExp(`^${name}=.`, 'm'));
});
