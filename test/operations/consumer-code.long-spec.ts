import { readdirSync, readFileSync } from 'node:fs';
import { runOrThrow } from '#dev';
import { eventually, fetchProgram, isProgramWithinReach, type Runtime } from '#testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  breaksOff,
  neverAnswers,
  stallsInTheMiddle,
  succeeds,
} from '../../libs/client/src/fixtures/behaviours.fixture.js';
import { ScriptedServer } from '../../libs/client/src/fixtures/scripted-server.fixture.js';
import { AdminClient } from '../../tools/cli/admin-client.js';
import { loadSample, miraSolenne, publishedSampleCount } from '../../tools/dev/launcher/sample.js';
import { createAccount, createFundedAccount, createKey, purchase } from '../support/accounts.js';
import { type CodeBlock, codeBlocksOf } from '../support/code-blocks.js';
import { KeyPool } from '../support/key-pool.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { clientPrograms } from './support/client-programs.js';
import { brazilianCount, documentedTrials, frenchCount } from './support/documented-trials.js';
import { describeBlocks } from './support/page-trials.js';
import { Reader } from './support/reader.js';

// Compilers, runtimes of JavaScript and the programs of pages are started.
jest.setTimeout(60_000);

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
/** The addresses of the API and of the website in the documentation. */
const [shownUrl, shownSiteUrl] = ['http://127.0.0.1:3000', 'http://127.0.0.1:3002'];
const catalog = new SuiteCatalog();
let reader: Reader;
const scripted = ScriptedServer.forSuite();

/** The creators that a program with the client searches for. */
const ofPrograms = ['one', 'two', 'three'].map((name) => catalog.record(name));

/** And those that the pages search for. */
const records = [
  ...ofPrograms,
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
afterAll(() => reader?.stop());

async function catalogHolds(count: number): Promise<void> {
  const pool = new KeyPool();
  await eventually(async () => expect((await pool.search({ limit: 1 })).total).toBe(count), 10_000);
}

describe('the package of the client', () => {
  it('holds what its users need, and nothing else', () => {
    const { files } = reader.client;
    const compiled = files.filter((file) => file.startsWith('dist/'));
    const others = files.filter((file) => !compiled.includes(file)).sort();
    expect(others).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    for (const format of ['esm', 'cjs']) {
      for (const name of ['package.json', 'index.js', 'index.d.ts']) {
        expect(compiled).toContain(`dist/${format}/${name}`);
      }
    }
    expect(compiled.filter((file) => /spec|fixture/.test(file))).toEqual([]);
  });

  const [, ofImages = ''] = /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  const runtimes: readonly (readonly [Runtime, string])[] = [
    ['node', '20.0.0'],
    ['node', process.versions.node],
    ['node', '22.16.0'],
    ['node', ofImages],
    ['bun', '1.4.5'],
    ['deno', '2.9.6'],
  ];
  for (const [runtime, version] of runtimes) {
    // Where there is no network, only the Node.js of this run can be had; the project's checks need all.
    const isHere = Boolean(process.env.CI) || isProgramWithinReach(runtime, version);
    const test = isHere ? it : it.skip;
    test.each(Object.entries(clientPrograms))(
      `is used by %s on ${runtime} ${version}`,
      (name, text) => runProgram(runtime, version, name, text),
      240_000,
    );
  }

  async function runProgram(runtime: Runtime, version: string, name: string, text: string): Promise<void> {
    const program = await fetchProgram(runtime, version);
    const { client, stack } = reader;
    const { key } = await createFundedAccount({ credits: 100 });
    scripted.plays(breaksOff, stallsInTheMiddle, succeeds, neverAnswers);
    const parameters = [...(runtime === 'deno' ? ['run', '--allow-all'] : []), client.write(name, text)];
    const variables = {
      API_KEY: key,
      BASE_URL: stack.publicUrl,
      SCRIPTED_URL: scripted.url,
      COUNTRY: catalog.country,
      HANDLE: ofPrograms[0]?.platforms[0]?.handle,
    };
    const output = await runOrThrow(program, parameters, {
      cwd: client.directory,
      env: { ...process.env, ...variables },
    });
    const [seen = '', ...shown] = output.split('\n');
    expect(JSON.parse(seen)).toEqual(whatProgramsSee);
    expect(shown.join('\n')).toContain('NotFoundError');
    expect(output).not.toContain(key);
    expect(output).not.toMatch(/warning/i);
  }

  const whatProgramsSee = {
    slugs: ofPrograms.map(({ slug }) => slug).sort(),
    profile: [expect.any(String), 1],
    again: [true, 0],
    found: [ofPrograms[0]?.slug, null, 'has a problem'],
    errors: [
      ['NotFoundError', 404, true],
      ['UnauthorizedError', 401, true],
      ['InvalidRequestError', 400, true],
    ],
    afterFailures: { used: 0, remaining: 41 },
    aborted: 'enough',
  };
});

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

it('the configurations for three assistants connect, and their key may call a tool', async () => {
  expect(assistants.map(({ language }) => language)).toEqual(['sh', 'json', 'json']);
  const { key } = await createFundedAccount({ credits: 7 });
  for (const { url, headers } of assistants.map(serverOf)) {
    const [[name, value] = ['', '']] = Object.entries(headers);
    const secret = value.replace(/csk_\.\.\.$|\$\{[\w:-]+\}$/, key);
    const client = new Client({ name: 'assistant', version: '1' });
    const address = new URL(url.replace(shownUrl, reader.stack.publicUrl));
    const requestInit = { headers: { [name]: secret } };
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
    const { structuredContent } = await client.callTool({ name: 'get_balance', arguments: {} });
    expect(structuredContent).toMatchObject({ credits_remaining: 7 });
    await client.close();
  }
});

/** The last one: it replaces the creators. */
it('the first call of the README is answered as the README shows', async () => {
  const [, call, answer] = codeBlocksOf('README.md', 'Quick start');
  const { adminUrl: url, adminToken: token, publicUrl, siteUrl } = reader.stack;
  expect(publicUrl).not.toBe(shownUrl);
  await catalog.remove();
  await loadSample(new AdminClient({ url, token }));
  await catalogHolds(publishedSampleCount());
  const { id } = await createAccount();
  const { key } = await createKey(id);
  await purchase(id, { pack: 'trial' });
  const line = call?.code.replace('csk_...', key).replace(shownUrl, publicUrl) ?? '';
  const output = await runOrThrow('bash', ['-euc', line.replace('curl', 'curl --silent')]);
  const shown: unknown = JSON.parse(answer?.code.replaceAll(shownSiteUrl, siteUrl) ?? '');
  expect(JSON.parse(output)).toEqual(shown);
});
