import { type Stack } from '@app/local-stack';
import { eventually } from '@app/testing';
import { createFundedAccount } from '../support/accounts.js';
import { CodeBlockRunner, codeBlocksOf } from '../support/code-blocks.js';
import { KeyPool } from '../support/key-pool.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';
import { PackedClient } from './support/packed-client.js';

const blocks = codeBlocksOf('libs/client/README.md').filter(({ language }) => language === 'ts');
const catalog = new SuiteCatalog();
/** The creator whom the page reads, and some for its searches. */
const records = ['mira', 'one', 'two'].map((name) =>
  catalog.record(name, {
    country: 'France',
    languages: ['French'],
    platforms: [catalog.account({ followers: 200_000 })],
    ...(name === 'mira' ? { slug: 'mira-solenne', name: 'Mira Solenne', tagline: 'Yoga by the sea' } : {}),
  }),
);
let client: PackedClient;
let stack: Stack;
let runner: CodeBlockRunner;
let environment: Record<string, string>;

beforeAll(async () => {
  client = await PackedClient.install();
  stack = await startOperatedStack();
  await catalog.import(records);
  const pool = new KeyPool();
  await eventually(async () => {
    expect((await pool.search({ country: 'France' })).total).toBe(records.length);
  });
  const { key } = await createFundedAccount();
  environment = { BASE_URL: stack.publicUrl, API_KEY: key };
  runner = new CodeBlockRunner(client.directory, blocks);
  await runner.compile();
}, 240_000);
afterAll(async () => {
  client.remove();
  await stack.stop();
});

/** What a block prints, by words in its code. */
const printed: readonly (readonly [string, RegExp])[] = [
  [
    'client.search({ country',
    /^3 creators match\n[\s\S]*Mira Solenne mira-solenne 200000\n[\s\S]*cost 3 credits, \d+ are left/,
  ],
  ['for await (const creator', /Mira Solenne/],
  ['.pages()', /^3 of 3 for 2 credits/],
  ['ifNoneMatch', /^Yoga by the sea cost [01] credits/],
  ['instanceof NotFoundError', /^no longer available/],
  ['idempotencyKey', /^[0-9a-f-]{36}\n/],
];

describe.each(blocks)('line $line of the README of the client', (block) => {
  it('runs, and prints what it is about', async () => {
    const output = await runner.run(block, environment);
    const [, expected = /^$/] = printed.find(([words]) => block.code.includes(words)) ?? [];
    expect(output).toMatch(expected);
  }, 60_000);
});

it('every example is known', () => {
  const unknown = printed.filter(([words]) => !blocks.some(({ code }) => code.includes(words)));
  expect(unknown).toEqual([]);
  expect(blocks).toHaveLength(printed.length + 1);
});
