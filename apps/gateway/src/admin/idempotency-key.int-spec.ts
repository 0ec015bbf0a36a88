import { createAccount, type CreatedKey, createKey, type CreateKeyRequest } from '#contracts';
import { hashApiKey, isWellFormedApiKey } from '#platform';
import { AdminFixture } from './admin.fixture.js';
import { account_id, accountView, keyView } from './answers.fixture.js';

const accounts = { call: 'POST /accounts', body: { name: 'Acme', email: 'a@b.example' } };
const keys = { call: `POST /accounts/${account_id}/keys`, body: { name: 'tool' } };
let isNew: boolean;

const admin = AdminFixture.forTests();
beforeEach(() => {
  isNew = true;
  admin.on(createAccount, () => ({ created: isNew, account: accountView }));
  admin.on(createKey, ({ name, prefix }) => ({ created: isNew, key: { ...keyView, name, prefix } }));
});

const keysAsked = () =>
  admin.received.map(({ payload }) => (payload as { idempotency_key: string }).idempotency_key);

describe.each([accounts, keys])('Idempotency-Key of $call', ({ call, body }) => {
  it.each(['a', '!"#~', 'x'.repeat(200)])('reaches billing unchanged: %s', async (key) => {
    expect((await admin.call(call, body, { 'idempotency-key': key })).status).toBe(201);
    expect(keysAsked()).toEqual([key]);
  });

  it('is generated when the caller sends none, a new one for each request', async () => {
    await admin.call(call, body);
    await admin.call(call, body);
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
  ])('is a 400 when it is %s', async (_what, key) => {
    expect(await admin.call(call, body, { 'idempotency-key': key })).toMatchObject({
      status: 400,
      body: { details: { 'Idempotency-Key': [expect.stringMatching(/^Idempotency-Key must/) as string] } },
    });
    expect(admin.received).toEqual([]);
  });

  it('is answered with 200 instead of 201 when the request was made before', async () => {
    isNew = false;
    expect((await admin.call(call, body, { 'idempotency-key': 'a' })).status).toBe(200);
  });
});

it('the key in the answer is the one whose hash billing gets, and no message contains the key itself', async () => {
  const { key, prefix } = (await admin.call(keys.call, keys.body)).body as CreatedKey;
  expect(isWellFormedApiKey(key)).toBe(true);
  expect(key.startsWith(prefix)).toBe(true);
  expect(admin.received.map(({ payload }) => (payload as CreateKeyRequest).key_hash)).toEqual([
    hashApiKey(key),
  ]);
  expect(JSON.stringify(admin.received)).not.toContain(key);
});
