import { setTimeout as wait } from 'node:timers/promises';
import { createAccount } from '../support/accounts.js';
import { type Account, admin, type Key, succeeded } from '../support/admin-api.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';

/** Nobody who tries again can have lost a reply sooner; clocks of processes agree to a few milliseconds. */
const tryAgainAfterMs = 250;

type CreatedKey = Key & { readonly key: string };

describe('POST /accounts with an Idempotency-Key', () => {
  it('creates one account: 201, then 200 with the same one', async () => {
    const body = { name: 'Once', email: 'once@customer.example' };
    const key = randomWord();
    const first = await admin.create<Account>('/accounts', body, key);
    expect(first.status).toBe(201);
    expect(await admin.create<Account>('/accounts', body, key)).toMatchObject({
      status: 200,
      body: first.body,
    });
  });

  it('409 with another body; 400 for an invalid Idempotency-Key', async () => {
    const body = { name: 'Once', email: 'once@customer.example' };
    const key = randomWord();
    succeeded(await admin.create('/accounts', body, key));
    expect((await admin.create('/accounts', { ...body, name: 'Other' }, key)).status).toBe(409);
    const refused = await admin.create('/accounts', body, 'two words');
    expect(refused).toMatchObject({
      status: 400,
      body: { details: { 'Idempotency-Key': [expect.any(String)] } },
    });
  });
});

describe('POST /accounts/{id}/keys with an Idempotency-Key', () => {
  /** A request that can be sent again, and the path of the keys that it makes. */
  async function keyRequest() {
    const path = `/accounts/${(await createAccount()).id}/keys`;
    const idempotencyKey = randomWord();
    return { path, send: () => admin.create<CreatedKey>(path, { name: 'server' }, idempotencyKey) };
  }

  it('creates one key: 201, then 200 with a new secret for it; the first secret stops working', async () => {
    const { send } = await keyRequest();
    const first = await send();
    await wait(tryAgainAfterMs);
    const second = await send();
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.id).toBe(first.body.id);
    expect(await api.freeStatus(second.body.key)).toBe(200);
    expect(await api.freeStatus(first.body.key)).toBe(401);
  });

  it('409 once a call was made with the key, which goes on working', async () => {
    const { send } = await keyRequest();
    const { body } = await send();
    expect(await api.freeStatus(body.key)).toBe(200);
    const again = await send();
    expect(again.status).toBe(409);
    expect(again.body.error).toContain('used');
    expect(await api.freeStatus(body.key)).toBe(200);
  });

  it('409 once the key was deleted', async () => {
    const { path, send } = await keyRequest();
    const { body } = await send();
    succeeded(await admin.call('DELETE', `${path}/${body.id}`));
    const again = await send();
    expect(again.status).toBe(409);
    expect(again.body.error).toContain('deleted');
  });
});
