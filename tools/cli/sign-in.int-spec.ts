import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CliRun, runCommand } from './cli.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
const path = `/accounts/${account}/sign-in-rules`;

let server: Server;
let answer: object;
let seen: { readonly call: string; readonly body: string }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ call: `${request.method} ${request.url?.replace('/admin/v1', '')}`, body });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(() => (seen = []));
afterAll(() => server.close());

function cli(...words: string[]): Promise<CliRun> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return runCommand(['sign-in', ...words], { environment: { ADMIN_URL: url, ADMIN_TOKEN: 'token' } });
}

it.each<[string[], string, string]>([
  [['rules', account], `GET ${path}`, ''],
  [
    [
      'rules',
      account,
      '--join-domains',
      'corp.example, b.example',
      '--provider-only',
      'on',
      '--session-hours',
      '8',
    ],
    `PATCH ${path}`,
    '{"join_domains":["corp.example","b.example"],"provider_only":true,"session_hours":8}',
  ],
  [['rules', account, '--join-domains', ''], `PATCH ${path}`, '{"join_domains":[]}'],
  [['rules', account, '--provider-only', 'off'], `PATCH ${path}`, '{"provider_only":false}'],
  [['unlink', 'a@b.example'], 'POST /people/unlink', '{"email":"a@b.example"}'],
])('sign-in %j', async (words, call, body) => {
  answer = { ok: true };
  expect(await cli(...words, '--json')).toMatchObject({ code: 0, stderr: '' });
  expect(seen).toEqual([{ call, body }]);
});

it('shows what an account asks of those who sign in', async () => {
  answer = { join_domains: ['corp.example'], provider_only: true, session_hours: 8 };
  expect((await cli('rules', account)).stdout).toMatch(
    /join +corp\.example\nsign-in +only through the OpenID provider\nagain after +8 h/,
  );
  answer = { join_domains: [], provider_only: false, session_hours: null };
  expect((await cli('rules', account)).stdout).toMatch(
    /join +none\nsign-in +in any way\nagain after +30 days without a visit/,
  );
});

it('says what was forgotten', async () => {
  answer = { forgotten: 1 };
  expect((await cli('unlink', 'a@b.example')).stdout).toBe(
    'a@b.example: 1 forgotten, signed out everywhere.\n',
  );
});

it.each([
  [['rules', account, '--provider-only', 'yes'], 'Expected on or off'],
  [['rules', account, '--session-hours', 'long'], 'whole number'],
  [['unlink'], "missing required argument 'email'"],
])('exits with 2 when %j is not valid', async (words, reason) => {
  const run = await cli(...words);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(reason)]);
  expect(seen).toEqual([]);
});
