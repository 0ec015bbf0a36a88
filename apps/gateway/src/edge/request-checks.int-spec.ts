import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { charge, createAccount } from '@app/contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';
import { adminToken, startWholeGateway, type WholeGateway } from '../fixtures/whole-gateway.fixture.js';

type Line = readonly [name: string, value: string];

interface Reply {
  readonly status: number | undefined;
  readonly requestId: unknown;
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

/** Sends these header lines verbatim, besides those that every request has. */
async function send(url: string, lines: readonly Line[], body?: string): Promise<Reply> {
  const { host } = new URL(url);
  const common: Line[] = [
    ['host', host],
    ['connection', 'close'],
    ...(body === undefined ? [] : [['content-length', String(body.length)] as const]),
  ];
  const outgoing = request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: [...common, ...lines].flat(),
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode,
    requestId: response.headers['x-request-id'],
    body: JSON.parse(await text(response)) as unknown,
  };
}

function refusalOf(name: string): object {
  return {
    error: expect.stringContaining(name) as string,
    details: { [name]: [expect.stringContaining('once') as string] },
  };
}

describe('the public API', () => {
  const search = (...lines: Line[]): Promise<Reply> =>
    send(`${gateway.publicUrl}/api/public/v1/search`, lines);
  const key = (value: string): Line => ['Authorization', value];

  it('refuses two keys, whichever of them is good, and the same one twice', async () => {
    const good = `Bearer ${api.key}`;
    const pairs = [
      [good, 'Bearer other'],
      ['Bearer other', good],
      [good, good],
      ['', good],
    ] as const;
    for (const [one, other] of pairs) {
      const reply = await search(key(one), key(other));
      expect(reply).toMatchObject({ status: 400, body: refusalOf('authorization') });
      expect(reply.requestId).toMatch(/\S+/);
    }
    expect(api.services.payloadsOf(charge)).toEqual([]);
  });

  it('refuses two hosts', async () => {
    const reply = await search(key(`Bearer ${api.key}`), ['HOST', 'other.example']);
    expect(reply).toMatchObject({ status: 400, body: refusalOf('host') });
  });

  it('accepts headers that decide nothing, or are lists, any number of times', async () => {
    const names = ['accept', 'x-request-id', 'x-forwarded-for', 'user-agent', 'traceparent', 'cookie'];
    const twice = names.flatMap((name): Line[] => [
      [name, 'one'],
      [name, 'two'],
    ]);
    expect((await search(key(`Bearer ${api.key}`), ...twice)).status).toBe(200);
  });
});

describe('the admin API', () => {
  const authorization: Line = ['authorization', `Bearer ${adminToken}`];
  const json: Line = ['content-type', 'application/json'];
  const create = (...lines: Line[]): Promise<Reply> =>
    send(`${gateway.adminUrl}/admin/v1/accounts`, lines, account);

  it('refuses two tokens', async () => {
    const reply = await create(authorization, ['authorization', 'Bearer other'], json);
    expect(reply).toMatchObject({ status: 400, body: refusalOf('authorization') });
    expect(api.services.payloadsOf(createAccount)).toEqual([]);
  });

  it('refuses two content types of one body', async () => {
    const reply = await create(authorization, json, ['content-type', 'text/plain']);
    expect(reply).toMatchObject({ status: 400, body: refusalOf('content-type') });
    expect(api.services.payloadsOf(createAccount)).toEqual([]);
  });
});
