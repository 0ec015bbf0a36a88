import { hashApiKey } from '#platform';
import { until } from '#testing';
import { Logger } from '@nestjs/common';
import { type Customer } from '../../ledger/ledger.fixture.js';
import { refusal, refusals } from '../../people/people.fixture.js';
import { SweepService } from '../../schedule/sweep.service.js';
import { type ApiKeysService } from './api-keys.service.js';
import { makeKey, useKeys } from './keys.fixture.js';

const fixture = useKeys();
const { ledger } = fixture;

/** The only key of a new account. */
async function newKey(keys = fixture.keys) {
  const account_id = await ledger.factory.account();
  const created = await makeKey(keys, account_id, 'server');
  return { ...created, path: { account_id, key_id: created.id }, hash: hashApiKey(created.key) };
}

describe('API keys', () => {
  it('are stored only as a hash', async () => {
    const { id, key, prefix, path, hash } = await newKey();
    const { account_id } = path;
    expect(await fixture.keys.authenticate([hash])).toEqual([
      { key_id: id, account_id, prefix, credits_remaining: 0 },
    ]);
    const [{ row } = { row: '' }] = await ledger.query<{ row: string }>(
      'SELECT api_keys::text AS row FROM api_keys WHERE id = $1',
      [id],
    );
    expect(row).not.toContain(key);
    expect(JSON.stringify(await fixture.keys.list(account_id))).not.toContain(key);
  });

  it('are found with the balances of their accounts', async () => {
    const [rich, poor] = [await newKey(), await newKey()];
    await ledger.factory.lot({ accountId: rich.path.account_id, credits: 50 });
    const hashes = [rich.hash, poor.hash, rich.hash, hashApiKey('unknown')];
    expect(await fixture.keys.authenticate(hashes)).toMatchObject([
      { account_id: rich.path.account_id, credits_remaining: 50 },
      { account_id: poor.path.account_id, credits_remaining: 0 },
      { account_id: rich.path.account_id, credits_remaining: 50 },
      null,
    ]);
  });

  it('are limited to five, even when 12 are requested at once; disabled ones count, deleted ones do not', async () => {
    const account_id = await ledger.factory.account();
    const create = () => makeKey(fixture.keys, account_id, 'one of many');
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => refusal(create())));
    expect(outcomes.sort()).toEqual([...Array<string>(7).fill('conflict'), ...Array<null>(5).fill(null)]);
    const listed = await fixture.keys.list(account_id);
    expect(listed).toHaveLength(5);
    const path = { account_id, key_id: listed[2]?.id ?? '' };
    await fixture.keys.update({ ...path, active: false });
    expect(await refusal(create())).toBe('conflict');
    await fixture.keys.remove(path);
    expect(await create()).toMatchObject({ name: 'one of many' });
  });

  it('are announced to every gateway when they are disabled, enabled or deleted', async () => {
    const { path, hash } = await newKey();
    const end = (await newKey()).path;
    const announced = await fixture.announced();
    await fixture.keys.update({ ...path, name: 'renamed' });
    await fixture.keys.update({ ...path, active: false });
    expect(await fixture.keys.authenticate([hash])).toEqual([null]);
    await fixture.keys.update({ ...path, active: true });
    await fixture.keys.remove(path);
    await fixture.keys.remove(end);
    await until(() => announced.at(-1)?.key_id === end.key_id);
    expect(announced.slice(0, -1)).toEqual(Array(3).fill({ key_id: path.key_id, key_hash: hash }));
  });

  it("are disabled and deleted even when gateways can't be notified", async () => {
    Logger.overrideLogger(false);
    const keys = await fixture.offline();
    const [off, gone] = [await newKey(keys), await newKey(keys)];
    await keys.update({ ...off.path, active: false });
    await keys.remove(gone.path);
    expect(await keys.authenticate([off.hash, gone.hash])).toEqual([null, null]);
  });

  it('that are deleted can be neither listed, shown, changed nor deleted again', async () => {
    const { path, hash } = await newKey();
    const { keys } = fixture;
    await keys.remove(path);
    expect(await keys.list(path.account_id)).toEqual([]);
    const replies = [keys.show(path), keys.update({ ...path, active: true }), keys.remove(path)];
    expect(await refusals(...replies)).toEqual(['not_found']);
    expect(await keys.authenticate([hash])).toEqual([null]);
  });

  it('of another account are not found', async () => {
    const { keys } = fixture;
    const { id, hash } = await newKey();
    const path = { account_id: await ledger.factory.account(), key_id: id };
    const replies = [keys.show(path), keys.update({ ...path, active: false }), keys.remove(path)];
    expect(await refusals(...replies)).toEqual(['not_found']);
    expect(await keys.authenticate([hash])).toMatchObject([{ key_id: id }]);
  });

  it('show when they were last used', async () => {
    const customer = await ledger.customer(5);
    expect(await fixture.keys.list(customer.accountId)).toMatchObject([{ last_used_at: null }]);
    await customer.charge(ledger.replicas[0], 0);
    const [key] = await fixture.keys.list(customer.accountId);
    expect(Date.now() - Date.parse(key?.last_used_at ?? '')).toBeLessThan(60_000);
  });
});

type Revocation = (keys: ApiKeysService, path: { account_id: string; key_id: string }) => Promise<unknown>;

const revocations: [string, Revocation][] = [
  ['disabled', (keys, path) => keys.update({ ...path, active: false })],
  ['deleted', (keys, path) => keys.remove(path)],
];

describe.each(revocations)('a key that is %s', (_how, revocation) => {
  const revoke = ({ accountId, keyId }: Customer): Promise<unknown> =>
    revocation(fixture.keys, { account_id: accountId, key_id: keyId });

  it('waits for charges in progress: once it is confirmed no charge succeeds', async () => {
    const customer = await ledger.customer(10);
    let revoked: Promise<unknown> = Promise.resolve();
    let isRevoked = false;
    await ledger.transactions.run([customer.accountId], async () => {
      revoked = revoke(customer).finally(() => (isRevoked = true));
      while (!isRevoked && (await ledger.lockWaiters()) === 0);
      expect(isRevoked).toBe(false);
    });
    await revoked;
  });

  it('can no longer pay for a call', async () => {
    const customer = await ledger.customer(10);
    await customer.charge(ledger.replicas[0], 1);
    await revoke(customer);
    for (const replica of ledger.replicas) {
      expect((await customer.charge(replica, 1)).reply).toEqual({ outcome: 'key_revoked' });
    }
    expect(await ledger.balance(customer.accountId)).toBe(9);
  });
});

const start = new Date('2026-01-10T12:00:00.000Z');
const daysLater = (days: number): Date => new Date(start.getTime() + days * 86_400_000);

const keysLeft = async (): Promise<string[]> =>
  (await ledger.query<{ id: string }>('SELECT id FROM api_keys')).map(({ id }) => id);

it('a deleted key that never took credits is deleted after 90 days, with its free calls; others are kept', async () => {
  await ledger.factory.setClock(start);
  const customer = await ledger.customer(10);
  const { accountId: account_id, keyId: paid } = customer;
  const [unused, free, live] = await Promise.all(
    [2, 3, 4].map((slot) => ledger.factory.key(account_id, slot)),
  );
  const charge = (key_id = '', credits = 0) =>
    ledger.replicas[0].charge({ ...customer.request(credits), key_id });
  await charge(paid, 0);
  await charge(paid, 1);
  await charge(free, 0);
  await charge(live, 0);
  const { keys } = fixture;
  await ledger.factory.setClock(daysLater(1));
  for (const key_id of [paid, unused, free]) await keys.remove({ account_id, key_id: key_id ?? '' });

  const sweep = ledger.get(SweepService);
  await ledger.factory.setClock(new Date(daysLater(91).getTime() - 1));
  await sweep.sweep();
  expect(await keysLeft()).toHaveLength(4);
  await ledger.factory.setClock(daysLater(91));
  expect(await sweep.sweep()).toMatchObject({ 'old keys': 3 });
  expect((await keysLeft()).sort()).toEqual([paid, live].sort());
  // The kept one is not looked at again.
  expect(await sweep.sweep()).toMatchObject({ 'old keys': 0 });
});

it('an account creates at most 100 keys in 24 h, deleted ones included', async () => {
  await ledger.factory.setClock(start);
  const { accountId: account_id } = await ledger.customer(0);
  const create = () => makeKey(fixture.keys, account_id, 'one of many');
  await ledger.query(
    `INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at, deleted_at)
     SELECT gen_random_uuid(), $1, 'gone', lpad(number::text, 64, '0'), 'csk_test', 1, ledger_now(), ledger_now()
     FROM generate_series(1, 98) AS number`,
    [account_id],
  );
  await ledger.factory.setClock(daysLater(0.5));
  await create();
  await expect(create()).rejects.toMatchObject({ code: 'rate_limited' });
  await ledger.factory.setClock(daysLater(1));
  await create();
});
