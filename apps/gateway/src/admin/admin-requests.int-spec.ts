import { once } from 'node:events';
import { connect } from 'node:net';
import { authenticateAdmin, type CreatorView, getCreator, listPacks, ServiceError } from '#contracts';
import { generateAdminToken } from '#platform';
import { until } from '#testing';
import { AdminFixture, adminToken, authorization } from './admin.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
const record = { name: 'Ada', country: 'Norway', languages: [], categories: ['art'], platforms: [] };
const onX = { platform: 'x', handle: '@ada', followers: 1, updated_at: '2026-01-31T12:00:00+0530' };
const creator = { ...record, platforms: [onX] };

const admin = AdminFixture.forTests();

describe('the admin token', () => {
  const bodyOf401 = { error: expect.stringContaining('ADMIN_TOKEN') as string };

  it.each([{}, { authorization: `Basic ${adminToken}` }, { authorization: `Bearer ${adminToken}x` }])(
    '401 with %j, before the path or the body is looked at',
    async (headers) => {
      for (const [method, path] of [
        ['GET', '/admin/v1/packs'],
        ['GET', '/admin/v1/nowhere'],
        ['POST', '/admin/v1/accounts'],
        ['POST', '/admin/v1/creators/import'],
      ] as const) {
        const reply = await admin.sendPlain(method, path, {
          headers,
          body: method === 'POST' ? '{' : undefined,
        });
        expect(reply).toMatchObject({ status: 401, body: bodyOf401 });
        expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
      }
      expect(admin.received).toEqual([]);
    },
  );
});

describe('the token of an operator', () => {
  const token = generateAdminToken();
  const bearer = { authorization: `Bearer ${token}` };

  it('gets a 503 while billing is away; ADMIN_TOKEN does not need it', async () => {
    admin.on(authenticateAdmin, () => {
      throw new ServiceError('unavailable', 'No database.');
    });
    admin.on(getCreator, () => ({ slug: 'ada' }) as CreatorView);
    const [path, method] = ['/admin/v1/creators/ada', 'GET'];
    expect(await admin.sendPlain(method, path, { headers: bearer })).toMatchObject({ status: 503 });
    expect(await admin.sendPlain(method, path, { headers: authorization })).toMatchObject({ status: 200 });
  });
});

it.each([
  ['GET', '/nowhere', 404, undefined],
  ['DELETE', '/accounts', 405, 'GET, POST'],
  ['OPTIONS', '/creators/import', 405, 'DELETE, GET, PATCH, POST, PUT'],
])('%s %s is a %i', async (method, path, status, allow) => {
  const reply = await admin.send(method, path);
  expect([reply.status, reply.headers.allow]).toEqual([status, allow]);
});

// That no route takes other fields: admin-endpoints.int-spec.ts.
it.each<[string, unknown, string[]]>([
  ['POST /accounts', { name: ' ', email: 'no address' }, ['email', 'name']],
  ['GET /accounts?limit=1e1&cursor=&page=2', undefined, ['cursor', 'limit', 'page']],
  [`PATCH /accounts/${account}`, {}, ['email', 'name']],
  [`GET /accounts/${account}/usage?from=2026-02-02&to=2026-02-01`, undefined, ['from', 'to']],
  ['POST /people/unlink', { email: 'ｘ@b.example' }, ['email']],
  ['PUT /creators/ada', { ...creator, platforms: [onX, onX] }, ['platforms']],
])('%s %j is a 400 that names every field that failed', async (call, body, fields) => {
  const reply = await admin.call(call, body);
  const { details } = reply.body as { details: Record<string, string[]> };
  expect([reply.status, Object.keys(details).sort()]).toEqual([400, fields]);
  for (const sentences of Object.values(details)) expect(sentences.join()).toMatch(/^[\w[\].]+ .+/);
  expect(admin.received).toEqual([]);
});

it('the Idempotency-Key of what is created reaches billing unchanged; without one, each request has a new one', async () => {
  const given = ['!"#~', 'x'.repeat(200), undefined, undefined];
  for (const key of given) {
    const header = key === undefined ? {} : { 'idempotency-key': key };
    await admin.call(`POST /accounts/${account}/keys`, { name: 'tool' }, header);
  }
  const [first, second, made, other] = admin.received.map(
    ({ payload }) => (payload as { idempotency_key: string }).idempotency_key,
  );
  expect([first, second]).toEqual(given.slice(0, 2));
  for (const key of [made, other]) expect(key).toMatch(/^[0-9a-f-]{36}$/);
  expect(made).not.toBe(other);
});

describe('bodies', () => {
  const json = { 'content-type': 'application/json' };

  it('400 for one that is nested too deep', async () => {
    const problem = 'the body must not be nested more than 20 levels deep';
    const body = '['.repeat(5_000);
    expect(await admin.send('POST', '/accounts', { headers: json, body })).toMatchObject({
      status: 400,
      body: { details: { body: [problem] } },
    });
  });

  it('413 for one that is too large, even to a client that reads only afterwards, which can go on', async () => {
    admin.on(listPacks, () => ({ packs: [] }));
    const common = `Host: a\r\nAuthorization: ${authorization.authorization}\r\n`;
    const large = `Content-Type: application/json\r\nContent-Length: 16000000\r\n\r\n${'x'.repeat(16_000_000)}`;
    const socket = connect(admin.port, '127.0.0.1');
    await once(socket, 'connect');
    const written = `POST /admin/v1/accounts HTTP/1.1\r\n${common}${large}GET /admin/v1/packs HTTP/1.1\r\n${common}\r\n`;
    await new Promise((resolve) => socket.write(written, resolve));
    let received = '';
    const statuses = () => received.match(/HTTP\/1\.1 \d+/g) ?? [];
    socket.on('data', (bytes) => (received += String(bytes)));
    await until(() => statuses().length === 2);
    expect(statuses()).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
    socket.destroy();
  });
});
