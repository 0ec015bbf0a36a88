import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';
import { adminToken, startWholeGateway, type WholeGateway } from '../fixtures/whole-gateway.fixture.js';

interface Reply {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly body: unknown;
}

const account = JSON.stringify({ name: 'Acme', email: 'ops@acme.example' });

let api: PublicApiFixture;
let gateway: WholeGateway;

beforeAll(async () => {
  api = await PublicApiFixture.start();
  gateway = await startWholeGateway(api.redis.url);
});
afterAll(async () => {
  await gateway?.close();
  await api?.stop();
});
beforeEach(() => api.scriptSuccess());

/** Sends these header lines as they are, besides those that every request has. */
async function send(url: string, lines: readonly string[], body = ''): Promise<Reply> {
  const { host, hostname, port, pathname } = new URL(url);
  const start = `${body === '' ? 'GET' : 'POST'} ${pathname} HTTP/1.1`;
  const framing = [`Host: ${host}`, 'Connection: close', `Content-Length: ${body.length}`];
  const socket = connect(Number(port), hostname);
  socket.write([start, ...framing, ...lines, '', body].join('\r\n'));
  const [head = '', json = ''] = (await text(socket)).split('\r\n\r\n');
  const [, status] = head.split(' ', 2);
  const [, requestId] = /^x-request-id: (\S+)/im.exec(head) ?? [];
  return { status: Number(status), requestId, body: JSON.parse(json) as unknown };
}

const search = (...lines: string[]) => send(`${gateway.publicUrl}/api/public/v1/search`, lines);
const create = (...lines: string[]) => send(`${gateway.adminUrl}/admin/v1/accounts`, lines, account);
const good = () => `Authorization: Bearer ${api.key}`;
const operator = `Authorization: Bearer ${adminToken}`;
const other = 'authorization: Bearer other';
const json = 'Content-Type: application/json';

it.each<[string, string, () => Promise<Reply>]>([
  ['a good key and another one', 'authorization', () => search(good(), other)],
  ['another key and a good one', 'authorization', () => search(other, good())],
  ['a good key twice', 'authorization', () => search(good(), good())],
  ['an empty and a good key', 'authorization', () => search('authorization:', good())],
  ['two hosts', 'host', () => search(good(), 'HOST: other.example')],
  ['two tokens of operators', 'authorization', () => create(operator, other, json)],
  ['two content types of one body', 'content-type', () => create(operator, json, 'content-type: text/plain')],
])('%s are a 400', async (_name, header, sent) => {
  const once = [expect.stringContaining('once') as string];
  expect(await sent()).toEqual({
    status: 400,
    requestId: expect.stringMatching(/\S+/) as string,
    body: { error: expect.stringContaining(header) as string, details: { [header]: once } },
  });
  expect(api.services.received).toEqual([]);
});

it('headers that decide nothing, or are lists, may come any number of times', async () => {
  const names = ['accept', 'x-request-id', 'x-forwarded-for', 'user-agent', 'traceparent', 'cookie'];
  const twice = names.flatMap((name) => [`${name}: one`, `${name}: two`]);
  expect((await search(good(), ...twice)).status).toBe(200);
});
