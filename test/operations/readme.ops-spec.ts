import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { runOrThrow } from '@app/local-stack';
import { eventually } from '@app/testing';
import { AdminClient } from '../../tools/cli/admin-client.js';
import { tableBelow } from '../../tools/docs/markdown.js';
import { loadSample, publishedSampleCount } from '../../tools/stack/sample.js';
import { createAccount, createFundedAccount, createKey, purchase } from '../support/accounts.js';
import { codeBlocksOf } from '../support/code-blocks.js';
import { KeyPool } from '../support/key-pool.js';
import { describeBlocks } from './support/page-trials.js';
import { Reader } from './support/reader.js';
import { readmeTrials } from './support/readme-trials.js';

const page = 'docs/api.md';
const [, firstCall, firstAnswer] = codeBlocksOf('README.md', 'Quick start');
const blocks = codeBlocksOf(page);
/** How assistants are told of the service: their programs are not ours to run. */
const configurations = blocks.filter(({ code }) => code.includes('/mcp'));
const calls = blocks.filter((block) => !configurations.includes(block));
/** The address on the page. */
const shownUrl = 'http://127.0.0.1:3000';
let reader: Reader;

beforeAll(async () => {
  reader = await Reader.start(calls);
  const { adminUrl: url, adminToken: token, publicUrl } = reader.stack;
  await loadSample(new AdminClient({ url, token }));
  const pool = new KeyPool();
  await eventually(async () => {
    expect((await pool.search({ limit: 1 })).total).toBe(publishedSampleCount());
  }, 10_000);
  expect(publicUrl).not.toBe(shownUrl);
}, 240_000);
afterAll(() => reader.stop());

describeBlocks(page, calls, readmeTrials, () => reader);

it('the first call with the Trial pack is answered as the page shows', async () => {
  const { id } = await createAccount();
  const { key } = await createKey(id);
  await purchase(id, { pack: 'trial' });
  const { publicUrl } = reader.stack;
  const line = firstCall?.code.replace('csk_...', key).replace(shownUrl, publicUrl) ?? '';
  const output = await runOrThrow('bash', ['-euc', line.replace('curl', 'curl --silent')]);
  const shown: unknown = JSON.parse(firstAnswer?.code.replaceAll(shownUrl, publicUrl) ?? '');
  expect(JSON.parse(output)).toEqual(shown);
});

interface McpServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The server that a configuration for an assistant names, as the three programs read it. */
function serverOf({ language, code }: (typeof blocks)[number]): McpServer {
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

it('the tools of the page are those that assistants are shown, in their order', async () => {
  const client = new Client({ name: 'assistant', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', reader.stack.publicUrl)));
  try {
    const { tools } = await client.listTools();
    const listed = tableBelow(readFileSync(page, 'utf8'), 'MCP').map(([name]) => name);
    expect(listed).toEqual(tools.map(({ name }) => `\`${name}\``));
  } finally {
    await client.close();
  }
});

describe('the configurations for assistants', () => {
  it('are those of three programs', () => {
    expect(configurations.map(({ language }) => language)).toEqual(['sh', 'json', 'json']);
  });

  it.each(configurations)('in line $line connects, and its key may call a tool', async (block) => {
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
