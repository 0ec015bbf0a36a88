import { createAccount, type CreatedKey, createKey, type CreateKeyRequest } from '@app/contracts';
import { hashApiKey, isWellFormedApiKey } from '@app/platform';
import { type OutgoingHttpHeaders } from 'node:http';
import { AdminFixture, type Reply } from './admin.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
const at = '2026-01-31T12:00:00.000Z';
const accountView = { id: account, name: 'Acme', email: 'a@b.example', created_at: at, credits_remaining: 0 };
const creations = [
  { path: '/accounts', body: { name: 'Acme', email: 'a@b.example' } },
  { path: `/accounts/${account}/keys`, body: { name: 'tool' } },
];

let admin: AdminFixture;
let isNew: boolean;

beforeAll(async () => (admin = await AdminFixture.start()));
beforeEach(() => {
  admin.reset();
  isNew = true;
  admin.on(createAccount, () => ({ created: isNew, account: accountView }));
  admin.on(createKey, ({ name, prefix }) => {
    const key = {
      id: account,
      name,
      prefix,
      active: true,
      created_at: at,
      last_used_at: null,
      created_by: null,
    };
    return { created: isNew, key };
  });
});
afterAll(() => admin.stop());

function create(
  { path, body }: { path: string; body: object },
  headers: OutgoingHttpHeaders,
): Promise<Reply> {
  const json = { 'content-type': 'application/json' };
  return admin.send('POST', path, { headers: { ...json, ...headers }, body: JSON.stringify(body) });
}

const keysAsked = () =>
  admin.received.map(({ payload }) => (payload as { idempotency_key: string }).idempotency_key);

describe.each(creations)('Idempotency-Key of POST $path', (creation) => {
  it.each(['a', '!"#~', 'x'.repeat(200)])('reaches billing unchanged: %s', async (key) => {
    expect((await create(creation, { 'idempotency-key': key })).status).toBe(201);
    expect(keysAsked()).toEqual([key]);
  });

  it('is generated when the caller sends none, a new one for each request', async () => {
    await create(creation, {});
    await create(creation, {});
    const [first, second] = keysAsked();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it.each<[string, string | string[]]>([
    ['empty', ''],
    ['too long', 'x'.repeat(201)],
    ['with a space', 'a b'],
    ['not ASCII', 'é'],
    ['given twice', ['a', 'a']],
  ])('400 when it is %s', async (_what, key) => {
    expect(await create(creation, { 'idempotency-key': key })).toMatchObject({
      status: 400,
      body: { details: { 'Idempotency-Key': [expect.stringMatching(/^Idempotency-Key must/) as string] } },
    });
    expect(admin.received).toEqual([]);
  });

  it('200 instead of 201 when the request was made before', async () => {
    isNew = false;
    expect((await create(creation, { 'idempotency-key': 'a' })).status).toBe(200);
  });
});

it('the key in the answer is the one whose hash billing got, and no message contains the key itself', async () => {
  const [, creation] = creations;
  if (!creation) throw new Error('nothing is created');
  const { key, prefix } = (await create(creation, {})).body as CreatedKey;
  expect(isWellFormedApiKey(key)).toBe(true);
  expect(key.startsWith(prefix)).toBe(true);
  expect(admin.received.map(({ payload }) => (payload as CreateKeyRequest).key_hash)).toEqual([
    hashApiKey(key),
  ]);
  expect(JSON.stringify(admin.received)).not.toContain(key);
});
