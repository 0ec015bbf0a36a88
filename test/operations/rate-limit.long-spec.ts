import { setTimeout as pause } from 'node:timers/promises';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { codeBlocksOf } from '../support/code-blocks.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { brazilianCount } from './support/documented-trials.js';
import { Reader } from './support/reader.js';

// The limit is per minute.
jest.setTimeout(180_000);

const limit = 60;
const catalog = new SuiteCatalog();
const blocks = codeBlocksOf('docs/guides/export-a-search.md');
let reader: Reader;
beforeAll(async () => {
  reader = await Reader.start(blocks);
  await catalog.import(
    Array.from({ length: brazilianCount }, (_, index) =>
      catalog.record(`brazilian-${index}`, { country: 'Brazil' }),
    ),
  );
}, 240_000);
afterAll(() => reader?.stop());

/** The replies to so many searches at once. */
const searches = (count: number, key: string) =>
  Promise.all(Array.from({ length: count }, () => api.search({ q: randomWord() }, key)));

it('refused searches do not extend the wait: a search succeeds after the Retry-After of the last refusal', async () => {
  const { key } = await createFundedAccount();
  await searches(limit, key);
  let waitSeconds: number;
  do {
    const refused = await searches(10, key);
    expect(refused.map(({ status }) => status)).toEqual(Array(10).fill(429));
    waitSeconds = Number(refused.at(-1)?.headers['retry-after']);
    await pause((waitSeconds > 8 ? 6 : waitSeconds) * 1_000);
  } while (waitSeconds > 8);
  expect((await searches(1, key)).map(({ status }) => status)).toEqual([200]);
});

it('an export in any language waits as long as the service says when its minute is used up', async () => {
  const account = await createFundedAccount();
  await searches(limit, account.key);
  expect((await api.search({}, account.key)).status).toBe(429);
  await Promise.all(blocks.map((block) => reader.run(block, { account })));
  expect(blocks.map(({ language }) => language)).toEqual(['ts', 'sh', 'python']);
  // Nine pages, and the one that says what the export will cost.
  expect(await admin.balance(account.id)).toBe(1_000 - 10 * 3);
});
