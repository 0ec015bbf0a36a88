import { readdirSync } from 'node:fs';
import { runOrThrow } from '@app/local-stack';
import { eventually } from '@app/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AdminClient } from '../../tools/cli/admin-client.js';
import { loadSample, miraSolenne, publishedSampleCount } from '../../tools/stack/sample.js';
import { createAccount, createFundedAccount, createKey, purchase } from '../support/accounts.js';
import { type CodeBlock, codeBlocksOf } from '../support/code-blocks.js';
import { KeyPool } from '../support/key-pool.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { brazilianCount, documentedTrials, frenchCount } from './support/documented-trials.js';
import { describeBlocks } from './support/page-trials.js';
import { Reader } from './support/reader.js';

/** Sets the variables that the guides read. */
const firstGuide = codeBlocksOf('docs/guides/README.md');
const guides = readdirSync('docs/guides')
  .filter((name) => name !== 'README.md')
  .map((name) => `docs/guides/${name}`);
const apiBlocks = codeBlocksOf('docs/api.md');
/** For the programs of assistants, which are not ours to run. */
const assistants = apiBlocks.filter(({ code }) => code.includes('/mcp'));
const pages: Readonly<Record<string, readonly CodeBlock[]>> = {
  'libs/client/README.md': codeBlocksOf('libs/client/README.md').filter(({ language }) => language === 'ts'),
  ...Object.fromEntries(guides.map((page) => [page, codeBlocksOf(page)])),
  'docs/api.md': apiBlocks.filter((block) => !assistants.includes(block)),
};
/** The address in the documentation. */
const shownUrl = 'http://127.0.0.1:3000';
const catalog = new SuiteCatalog();
let reader: Reader;

/** The creators that the pages search for. */
const records = [
  miraSolenne,
  ...Array.from({ length: frenchCount - 1 }, (_, index) =>
    catalog.record(`french-${index}`, {
      country: 'France',
      languages: ['French'],
      platforms: [catalog.account({ followers: 200_000 })],
    }),
  ),
  ...Array.from({ length: brazilianCount }, (_, index) =>
    catalog.record(`brazilian-${index}`, { country: 'Brazil' }),
  ),
];

beforeAll(async () => {
  reader = await Reader.start(Object.values(pages).flat());
  await catalog.import(records);
  await catalogHolds(records.length);
}, 240_000);
afterAll(() => reader.stop());

async function catalogHolds(count: number): Promise<void> {
  const pool = new KeyPool();
  await eventually(async () => expect((await pool.search({ limit: 1 })).total).toBe(count), 10_000);
}

for (const [page, blocks] of Object.entries(pages)) {
  describeBlocks(page, blocks, documentedTrials[page] ?? [], () => reader);
}

it('the first guide sets every variable that the guides read', async () => {
  const [setUp, ...others] = firstGuide;
  expect([setUp?.language, others]).toEqual(['sh', []]);
  const environment = { PATH: process.env.PATH };
  const output = await runOrThrow('bash', ['-euc', `${setUp?.code}\nenv`], { env: environment });
  const code = guides.flatMap((page) => pages[page] ?? []).map((block) => block.code);
  const read = code.flatMap((text) => [...text.matchAll(/(?:\$|process\.env\.|environ\[')([A-Z_]+)/g)]);
  const names = [...new Set(read.map(([, name]) => name))].sort();
  expect(names).toEqual(['API_KEY', 'BASE_URL', 'SLUG']);
  for (const name of names) expect(output).toMatch(new RegExp(`^${name}=.`, 'm'));
});

it('the first call of the README is answered as the README shows', async () => {
  const [, call, answer] = codeBlocksOf('README.md', 'Quick start');
  const { adminUrl: url, adminToken: token, publicUrl } = reader.stack;
  expect(publicUrl).not.toBe(shownUrl);
  await catalog.remove();
  await loadSample(new AdminClient({ url, token }));
  await catalogHolds(publishedSampleCount());
  const { id } = await createAccount();
  const { key } = await createKey(id);
  await purchase(id, { pack: 'trial' });
  const line = call?.code.replace('csk_...', key).replace(shownUrl, publicUrl) ?? '';
  const output = await runOrThrow('bash', ['-euc', line.replace('curl', 'curl --silent')]);
  const shown: unknown = JSON.parse(answer?.code.replaceAll(shownUrl, publicUrl) ?? '');
  expect(JSON.parse(output)).toEqual(shown);
}, 60_000);

interface McpServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The server in a configuration for an assistant, as the three programs read it. */
function serverOf({ language, code }: CodeBlock): McpServer {
  if (language === 'sh') {
    const words = /^claude mcp add --transport http \w+ (\S+) --header "(\w+): (.+)"\n$/.exec(code);
    const [, url = '', name = '', value = ''] = words ?? [];
    return { url, headers: { [name]: value } };
  }
  const configuration = JSON.parse(code) as Record<string, Record<string, McpServer>>;
  const server = (configuration.mcpServers ?? configuration.servers)?.creators;
  if (!server) throw new Error(`no server in ${code}`);
  return server;
}

describe('the configurations for assistants', () => {
  it('are for three programs', () => {
    expect(assistants.map(({ language }) => language)).toEqual(['sh', 'json', 'json']);
  });

  it.each(assistants)('the one in line $line connects, and its key may call a tool', async (block) => {
    const { url, headers } = serverOf(block);
    const { key } = await createFundedAccount({ credits: 7 });
    const [[name, value] = ['', '']] = Object.entries(headers);
    const secret = value.replace(/csk_\.\.\.$|\$\{[\w:-]+\}$/, key);
    const client = new Client({ name: 'assistant', version: '1' });
    const address = new URL(url.replace(shownUrl, reader.stack.publicUrl));
    const requestInit = { headers: { [name]: secret } };
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
    try {
      const { structuredContent } = await client.callTool({ name: 'get_balance', arguments: {} });
      expect(structuredContent).toMatchObject({ credits_remaining: 7 });
    } finally {
      await client.close();
    }
  });
});
