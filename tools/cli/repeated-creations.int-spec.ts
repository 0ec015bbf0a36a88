import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CliRun, runCommand } from './cli.fixture.js';

type Answer = (response: ServerResponse) => void;

const account = {
  id: '0198c0de-0000-7000-8000-000000000001',
  name: 'Acme',
  email: 'a@b.example',
  created_at: '2026-01-31T12:00:00.000Z',
  credits_remaining: 0,
};
const key = { id: account.id, name: 'tool', prefix: 'csk_abcdef', active: true, key: 'csk_abcdefghi' };
const commands = [
  { command: 'accounts create --name Acme --email a@b.example', made: account },
  { command: `keys create ${account.id} --name tool`, made: key },
];

let server: Server;
let url: string;
let answers: Answer[];
let seen: { readonly idempotencyKey: unknown; readonly body: string }[];

async function answerNext(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { 'idempotency-key': idempotencyKey } = request.headers;
  seen.push({ idempotencyKey, body: await text(request) });
  answers.shift()?.(response);
}

const answer =
  (status: number, body: object): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const unavailable = answer(503, { error: 'Not now; try again shortly.' });
const hangUp: Answer = (response) => response.destroy();

beforeAll(async () => {
  server = createServer((request, response) => void answerNext(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  answers = [];
  seen = [];
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

function cli(command: string, adminUrl = url): Promise<CliRun> {
  return runCommand([...command.split(' '), '--json'], {
    environment: { ADMIN_URL: adminUrl, ADMIN_TOKEN: 'the token' },
  });
}

describe.each(commands)('$command', ({ command, made }) => {
  it('names its request by an Idempotency-Key, another one each time', async () => {
    answers = [answer(201, made), answer(201, made)];
    expect(await cli(command)).toMatchObject({ code: 0, stderr: '' });
    expect((await cli(command)).code).toBe(0);
    const [first, second] = seen.map(({ idempotencyKey }) => idempotencyKey);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it.each([
    ['a 503', unavailable],
    ['a lost connection', hangUp],
  ])('retries once with the same Idempotency-Key after %s', async (_what, failure) => {
    answers = [failure, answer(200, made)];
    const { code, stdout } = await cli(command);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(made);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
  });

  it('gives up after the second 503, and says that it may have been created', async () => {
    answers = [unavailable, unavailable];
    const { code, stderr } = await cli(command);
    expect(code).toBe(1);
    expect(stderr).toContain('Not now; try again shortly.');
    expect(stderr).toContain('may have been created');
    expect(seen).toHaveLength(2);
  });

  it('says that it may have been created when nothing answers any more', async () => {
    const gone = createServer((_request, response) => {
      gone.close();
      response.destroy();
    });
    await once(gone.listen(0, '127.0.0.1'), 'listening');
    const { code, stderr } = await cli(command, `http://127.0.0.1:${(gone.address() as AddressInfo).port}`);
    expect(code).toBe(1);
    expect(stderr).toContain('Nothing answers');
    expect(stderr).toContain('may have been created');
  });

  it('does not repeat what was refused', async () => {
    answers = [answer(409, { error: 'No.' })];
    expect(await cli(command)).toMatchObject({ code: 1, stderr: 'Error: No.\n' });
    expect(seen).toHaveLength(1);
  });
});

it('other commands are not repeated', async () => {
  answers = [unavailable];
  expect((await cli(`keys disable ${account.id} ${key.id}`)).code).toBe(1);
  expect(seen).toEqual([{ idempotencyKey: undefined, body: '{"active":false}' }]);
});
