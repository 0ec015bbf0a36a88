import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type CliRun, runCommand } from './cli.fixture.js';

interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization?: string;
  readonly contentType?: string;
  readonly body: string;
}

type Answer = { readonly status: number; readonly body: unknown };

const account = '0198c0de-0000-7000-8000-000000000001';
const key = '0198c0de-0000-7000-8000-000000000002';
const lot = {
  id: '0198c0de-0000-7000-8000-000000000003',
  pack: 'builder',
  credits: 500,
  remaining: 500,
  price_cents: 14_900,
  purchased_at: '2026-01-31T12:00:00.000Z',
  expires_at: '2026-03-02T12:00:00.000Z',
  reference: 'payment 42',
};

let server: Server;
let url: string;
let answers: Answer[];
let seen: SeenRequest[];
let respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function answerInTurn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: target = '', headers } = request;
  const body = await text(request);
  const { authorization, 'content-type': contentType } = headers;
  seen.push({ method, url: target, authorization, contentType, body });
  const answer = answers.shift() ?? { status: 500, body: { error: 'the script has no answer left' } };
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
}

const directory = mkdtempSync(join(tmpdir(), 'cli-'));
afterAll(() => rmSync(directory, { recursive: true }));

beforeAll(async () => {
  server = createServer((request, response) => void respond(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  answers = [];
  seen = [];
  respond = answerInTurn;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

function cli(words: string[], input = '', environment?: Record<string, string>): Promise<CliRun> {
  return runCommand(words, {
    stdin: Readable.from([Buffer.from(input)]),
    environment: environment ?? { ADMIN_URL: url, ADMIN_TOKEN: 'the token' },
  });
}

it('`put` accepts what `get` has printed', async () => {
  const record = { slug: 'ada', name: 'Ada', published: false, platforms: [] };
  const creator = { ...record, url: 'http://localhost/creators/ada', total_reach: 0 };
  answers = [
    { status: 200, body: creator },
    { status: 200, body: creator },
  ];
  const { stdout } = await cli(['--json', 'creators', 'get', 'ada']);
  expect(await cli(['--json', 'creators', 'put', 'ada', '-'], stdout)).toMatchObject({ code: 0 });
  expect(JSON.parse(seen[1]?.body ?? '')).toEqual(record);
});

describe('requests', () => {
  const json = 'application/json';
  it.each<[string, string, string, string | undefined]>([
    [
      'accounts create --name Acme --email a@b.example',
      'POST',
      '/accounts',
      '{"name":"Acme","email":"a@b.example"}',
    ],
    [`accounts sign-in-link ${account}`, 'POST', `/accounts/${account}/sign-in-link`, '{}'],
    [
      `accounts sign-in-link ${account} --email a@b.example`,
      'POST',
      `/accounts/${account}/sign-in-link`,
      '{"email":"a@b.example"}',
    ],
    ['accounts list --limit 2 --cursor abc', 'GET', '/accounts?limit=2&cursor=abc', undefined],
    [`keys rename ${account} ${key} tool`, 'PATCH', `/accounts/${account}/keys/${key}`, '{"name":"tool"}'],
    [`keys disable ${account} ${key}`, 'PATCH', `/accounts/${account}/keys/${key}`, '{"active":false}'],
    [`keys enable ${account} ${key}`, 'PATCH', `/accounts/${account}/keys/${key}`, '{"active":true}'],
    [`keys delete ${account} ${key}`, 'DELETE', `/accounts/${account}/keys/${key}`, undefined],
    [
      `purchases create ${account} --pack enterprise --reference r --credits 10,000 --price 1800.50`,
      'POST',
      `/accounts/${account}/purchases`,
      '{"pack":"enterprise","reference":"r","credits":10000,"price_cents":180050}',
    ],
    [
      `adjustments create ${account} --credits -5 --reason typo --reference r`,
      'POST',
      `/accounts/${account}/adjustments`,
      '{"credits":-5,"reason":"typo","reference":"r"}',
    ],
    [
      `agreements start ${account} --credits 20000 --price 4000`,
      'POST',
      `/accounts/${account}/agreement`,
      '{"credits":20000,"price_cents":400000}',
    ],
    [`agreements end ${account}`, 'DELETE', `/accounts/${account}/agreement`, undefined],
    ['packs', 'GET', '/packs', undefined],
    [`ledger list ${account}`, 'GET', `/accounts/${account}/ledger`, undefined],
    [`usage ${account} --from 2026-01-01`, 'GET', `/accounts/${account}/usage?from=2026-01-01`, undefined],
    ['creators get a/b', 'GET', '/creators/a%2Fb', undefined],
    ['creators unpublish ada', 'PATCH', '/creators/ada', '{"published":false}'],
    ['creators delete ada', 'DELETE', '/creators/ada', undefined],
  ])('%s', async (command, method, path, body) => {
    answers = [{ status: 201, body: { ok: true } }];
    const run = await cli([...command.split(' '), '--json']);
    expect(run).toEqual({ code: 0, stdout: '{\n  "ok": true\n}\n', stderr: '' });
    expect(seen).toEqual([
      {
        method,
        url: `/admin/v1${path}`,
        authorization: 'Bearer the token',
        contentType: body === undefined ? undefined : json,
        body: body ?? '',
      },
    ]);
  });
});

describe('output', () => {
  it('shows an account with its lots', async () => {
    const body = { id: account, name: 'Acme', email: 'a@b.example', created_at: lot.purchased_at };
    answers = [{ status: 200, body: { ...body, credits_remaining: 1_500, lots: [lot] } }];
    const { stdout } = await cli(['accounts', 'show', account]);
    expect(stdout).toContain('credits  1,500');
    expect(stdout).toMatch(/builder +500 +500 +\$149\.00 +2026-01-31 12:00 +2026-03-02 12:00/);
  });

  it('shows a sign-in link, whom it lets in and for how long', async () => {
    const url = 'https://api.example/account/sign-in/link?token=abc';
    answers = [{ status: 201, body: { url, email: 'a@b.example', valid_for_seconds: 3_600 } }];
    const { stdout } = await cli(['accounts', 'sign-in-link', account]);
    expect(stdout.split('\n')[0]).toBe(url);
    expect(stdout).toContain('Signs in a@b.example, once, for 60 minutes.');
  });

  it('makes a reference for a purchase without one and prints it', async () => {
    answers = [{ status: 201, body: lot }];
    const { stderr, stdout } = await cli(['purchases', 'create', account, '--pack', 'builder']);
    const { reference } = JSON.parse(seen[0]?.body ?? '') as { reference: string };
    expect(stderr).toContain(`--reference ${reference}`);
    expect(stdout).toContain('500 of 500 left');
  });

  it('says when the reference of a purchase was already used', async () => {
    answers = [{ status: 200, body: lot }];
    const { stderr } = await cli(['purchases', 'create', account, '--pack', 'builder', '--reference', 'r']);
    expect(stderr).toBe('This reference was already used: nothing was added.\n');
  });

  it('exits with 1 when the audit is not clean, and names what differs', async () => {
    const discrepancy = {
      kind: 'lot_remaining_differs',
      account_id: account,
      lot_id: lot.id,
      charge_id: null,
      expected: '5',
      found: '7',
    };
    const audit = { accounts: 1, lots: 1, entries: 9 };
    answers = [
      { status: 200, body: { ...audit, ok: false, discrepancies: [discrepancy] } },
      { status: 200, body: { ...audit, ok: true, discrepancies: [] } },
    ];
    const bad = await cli(['audit']);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('lot_remaining_differs');
    expect(await cli(['audit'])).toEqual({
      code: 0,
      stdout: 'OK: 1 account, 1 lot, 9 entries\n',
      stderr: '',
    });
  });
});

describe('failures', () => {
  it('prints an error of the API with its details, exit 1', async () => {
    const details = { email: ['email must be an e-mail address'] };
    answers = [{ status: 400, body: { error: 'The request is not valid.', details } }];
    expect(await cli(['accounts', 'create', '--name', 'A', '--email', 'x'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: The request is not valid.\n  email: email must be an e-mail address\n',
    });
  });

  it.each([
    [['accounts', 'create', '--name', 'A'], "required option '--email <email>'"],
    [['purchases', 'create', account, '--pack', 'gold'], 'Allowed choices are trial'],
    [['nonsense'], "unknown command 'nonsense'"],
    [['accounts', 'list', '--limit', 'many'], 'whole number'],
  ])('exits with 2 when %j is not valid', async (words, reason) => {
    const { code, stderr } = await cli(words);
    expect({ code, told: stderr.includes(reason) }).toEqual({ code: 2, told: true });
    expect(seen).toEqual([]);
  });

  it('says how to start the service when nothing answers', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    await new Promise((closed) => gone.close(closed));
    const nobody = { ADMIN_URL: `http://127.0.0.1:${port}`, ADMIN_TOKEN: 'x' };
    const { code, stderr } = await cli(['packs'], '', nobody);
    expect(code).toBe(1);
    expect(stderr).toContain('npm start');
  });

  it('explains an answer that is not JSON', async () => {
    respond = (_request, response) => Promise.resolve(void response.end('<html>'));
    expect(await cli(['packs'])).toMatchObject({
      code: 1,
      stderr: `Error: ${url} did not answer with JSON: is it the admin API?\n`,
    });
  });

  it('shows help without a service, exit 0', async () => {
    const { code, stdout } = await cli(['creators', 'import', '--help'], '', {});
    expect(code).toBe(0);
    expect(stdout).toContain('--admin-url');
    expect(stdout).toContain('gunzip -c');
  });
});

describe('creators import', () => {
  const report = { received: 3, created: 1, updated: 0, unchanged: 1, rejected: 1 };
  const errors = [{ line: 2, error: 'followers must not be negative' }];

  it('sends a file as it is and shows the counts and the first errors', async () => {
    const file = join(directory, 'creators.ndjson');
    writeFileSync(file, '{"a":1}\n\n{"b":2}');
    answers = [{ status: 200, body: { ...report, errors } }];
    const { stdout } = await cli(['creators', 'import', file]);
    expect(stdout).toMatch(/^3 lines in \d+\.\d s/);
    expect(stdout).toContain('line 2: followers must not be negative');
    expect(seen[0]).toMatchObject({
      url: '/admin/v1/creators/import',
      contentType: 'application/x-ndjson',
      body: '{"a":1}\n\n{"b":2}',
    });
  });

  it.each([
    { rejected: 1, words: [], code: 1 },
    { rejected: 1, words: ['--allow-rejected'], code: 0 },
    { rejected: 0, words: [], code: 0 },
  ])('exits with $code after $rejected rejected lines $words, once it has shown the report', async (is) => {
    const body = { ...report, rejected: is.rejected, errors: is.rejected > 0 ? errors : [] };
    answers = [{ status: 200, body }];
    const words = ['creators', 'import', '-', '--json', ...is.words];
    const { code, stdout, stderr } = await cli(words, '{"a":1}\n');
    expect(code).toBe(is.code);
    expect(JSON.parse(stdout)).toEqual(body);
    expect(stderr).toContain(is.code === 0 ? '' : '1 line was rejected');
  });

  it('reads standard input', async () => {
    answers = [{ status: 200, body: { ...report, errors } }];
    const { stdout } = await cli(['creators', 'import', '-', '--json'], '{"c":3}\n');
    expect(JSON.parse(stdout)).toEqual({ ...report, errors });
    expect(seen[0]?.body).toBe('{"c":3}\n');
  });

  it('names a file that is not there', async () => {
    const { code, stderr } = await cli(['creators', 'import', 'nowhere.ndjson']);
    expect(code).toBe(1);
    expect(stderr).toContain("nowhere.ndjson can't be read");
  });

  it('says that a directory is one, and sends nothing', async () => {
    const { code, stderr } = await cli(['creators', 'import', directory]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${directory} can't be read: it is a directory`);
    expect(seen).toEqual([]);
  });

  it('shows the error of a service that gives up while the file is still being sent', async () => {
    const error = 'The import stopped early: the first 2000 lines are stored.';
    respond = async (request, response) => {
      await once(request, 'data');
      response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      request.resume();
    };
    const endless = Readable.from(lines());
    const environment = { ADMIN_URL: url, ADMIN_TOKEN: 'x' };
    const { code, stderr } = await runCommand(['creators', 'import', '-'], { stdin: endless, environment });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `Error: ${error}\n` });
    expect(endless.destroyed).toBe(true);
  });
});

async function* lines(): AsyncGenerator<Buffer> {
  for (;;) yield await Promise.resolve(Buffer.alloc(65_536, 'line\n'));
}
