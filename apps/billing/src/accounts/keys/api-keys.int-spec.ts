import { hashApiKey } from '#platform';
import { until } from '#testing';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../../durations.js';
import { type Customer } from '../../ledger/ledger.fixture.js';
import { refusal, refusals } from '../../people/people.fixture.js';
import { SweepService } from '../../schedule/sweep.service.js';
import { AccountsService } from '../accounts.service.js';
import { keyRequest, makeKey, useKeys } from './keys.fixture.js';

const fixture = useKeys();
const { ledger } = fixture;

const start = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number): Date => new Date(start.getTime() + ms);
const time = (ms: number): string => later(ms).toISOString();

beforeEach(() => ledger.factory.setClock(start));

/** The only key of a new account. */
async function newKey(keys = fixture.keys) {
  const account_id = await ledger.factory.account();
  const created = await makeKey(keys, account_id, 'server');
  return { ...created, path: { account_id, key_id: created.id }, hash: hashApiKey(created.key) };
}

const pathOf = ({ accountId: account_id, keyId: key_id }: Customer) => ({ account_id, key_id });

describe('API keys', () => {
  it('are limited to five, even when 12 are requested at once; disabled and expired ones count, deleted ones do not', async () => {
    const account_id = await ledger.factory.account();
    const create = () => makeKey(fixture.keys, account_id, 'one of many');
    const replies = await Promise.all(Array.from({ length: 12 }, () => refusal(create())));
    expect(replies.sort()).toEqual([...Array<string>(7).fill('conflict'), ...Array<null>(5).fill(null)]);
    const [one, other, ...more] = await fixture.keys.list(account_id);
    expect(more).toHaveLength(3);
    const path = { account_id, key_id: one?.id ?? '' };
    await fixture.keys.update({ ...path, active: false });
    await fixture.keys.update({ account_id, key_id: other?.id ?? '', expires_at: time(1) });
    await ledger.factory.setClock(later(1));
    expect(await refusal(create())).toBe('conflict');
    await fixture.keys.remove(path);
    expect(await create()).toMatchObject({ name: 'one of many' });
  });

  it('for tests have a balance of their own, no limit, and are charged for nothing', async () => {
    const customer = await ledger.customer(100);
    const { accountId: account_id } = customer;
    const { request, secret } = keyRequest(account_id, 'trying it', undefined, 'test');
    const { key } = await fixture.keys.create(request);
    const found = await fixture.keys.authenticate(request.key_hash);
    expect(found).toMatchObject({ key_id: key.id, mode: 'test', credits_remaining: 1_000 });
    expect([key.mode, key.prefix]).toEqual(['test', secret.slice(0, 15)]);
    const limit = { account_id, key_id: key.id, monthly_limit: 10 };
    expect(await refusal(fixture.keys.update(limit))).toBe('invalid_request');
    const { request: limited } = keyRequest(account_id, 'limited', undefined, 'test');
    expect(await refusal(fixture.keys.create({ ...limited, monthly_limit: 10 }))).toBe('invalid_request');
    const call = { ...customer.request(1), key_id: key.id };
    expect(await ledger.replicas[0].charge(call)).toEqual({ outcome: 'key_revoked' });
    expect(await ledger.balance(account_id)).toBe(100);
    // A secret of the other kind is no new secret of a key.
    const { request: live } = keyRequest(account_id, 'live');
    const { key_hash, prefix, idempotency_key } = live;
    const rotation = { ...limit, rotation_id: uuidv7(), overlap_hours: 0, idempotency_key, key_hash, prefix };
    await expect(fixture.keys.rotate(rotation)).rejects.toThrow('api_keys_mode_of_prefix');
  });

  it('are announced to every gateway when they are disabled, enabled, given an expiry or deleted', async () => {
    const { path, hash } = await newKey();
    const end = (await newKey()).path;
    const announced = await fixture.announced();
    await fixture.keys.update({ ...path, name: 'renamed' });
    await fixture.keys.update({ ...path, active: false });
    expect(await fixture.keys.authenticate(hash)).toBeNull();
    await fixture.keys.update({ ...path, active: true });
    await fixture.keys.update({ ...path, expires_at: time(1) });
    await fixture.keys.remove(path);
    await fixture.keys.remove(end);
    await until(() => announced.at(-1)?.key_id === end.key_id);
    expect(announced.slice(0, -1)).toEqual(Array(4).fill({ key_id: path.key_id, key_hash: hash }));
  });

  it('that are deleted, or of another account, can be neither shown, changed nor deleted', async () => {
    const { keys } = fixture;
    const [gone, theirs] = [await newKey(), await newKey()];
    await keys.remove(gone.path);
    expect(await keys.list(gone.path.account_id)).toEqual([]);
    for (const path of [gone.path, { ...gone.path, key_id: theirs.id }]) {
      const replies = [keys.show(path), keys.update({ ...path, active: false }), keys.remove(path)];
      expect(await refusals(...replies)).toEqual(['not_found']);
    }
    expect(await keys.authenticate(gone.hash)).toBeNull();
    expect(await keys.authenticate(theirs.hash)).toMatchObject({ key_id: theirs.id });
  });
});

describe('a key with an expiry', () => {
  it('is given to gateways with its remaining time, and unknown from its instant on', async () => {
    const account_id = await ledger.factory.account();
    const { request, secret } = keyRequest(account_id, 'server');
    await fixture.keys.create({ ...request, expires_at: '2026-03-01T13:00:01+01:00' });
    const found = () => fixture.keys.authenticate(hashApiKey(secret));
    expect(await found()).toMatchObject({ account_id, valid_for_ms: 1_000 });
    await ledger.factory.setClock(later(999));
    expect(await found()).toMatchObject({ valid_for_ms: 1 });
    await ledger.factory.setClock(later(1_000));
    expect(await found()).toBeNull();
  });

  it('is refused one that is not in the future, and belongs to what its Idempotency-Key creates', async () => {
    const customer = await ledger.customer(1);
    const notInFuture = { details: { expires_at: ['expires_at must be in the future'] } };
    const ask = (expires_at: string | null) => {
      const { request } = keyRequest(customer.accountId, 'server', 'order 1');
      return fixture.keys.create({ ...request, expires_at });
    };
    await expect(ask(time(0))).rejects.toMatchObject(notInFuture);
    const change = { ...pathOf(customer), expires_at: time(-1) };
    await expect(fixture.keys.update(change)).rejects.toMatchObject(notInFuture);
    const { key } = await ask(time(1_000));
    expect(await ask('2026-03-01T12:00:01Z')).toMatchObject({ created: false, key: { id: key.id } });
    for (const other of [null, time(2_000)]) expect(await refusal(ask(other))).toBe('conflict');
  });
});

describe('a suspended account', () => {
  const suspend = (account_id: string, reason = 'resells credits') =>
    fixture.get(AccountsService).suspend({ account_id, reason });
  const resume = (account_id: string) => fixture.get(AccountsService).resume({ account_id });

  it('gets no new key, and is announced to the gateways with each of its keys; suspended again only the reason changes', async () => {
    const { path, hash } = await newKey();
    const { account_id } = path;
    const { key } = await makeKey(fixture.keys, account_id, 'two');
    const announced = await fixture.announced();
    const { suspended_at } = await suspend(account_id);
    expect(suspended_at).toBe(time(0));
    await until(() => announced.length === 2);
    expect(announced.map(({ key_hash }) => key_hash).sort()).toEqual([hash, hashApiKey(key)].sort());
    expect(await refusal(fixture.keys.create(keyRequest(account_id, 'three').request))).toBe('conflict');
    await ledger.factory.setClock(later(1));
    const again = await suspend(account_id, 'fraud');
    expect(again).toMatchObject({ suspended_at, suspension_reason: 'fraud' });
    expect(await ledger.get(AccountsService).show({ account_id })).toMatchObject(again);
    const resumed = await resume(account_id);
    for (const field of ['suspended_at', 'suspension_reason']) expect(resumed).not.toHaveProperty(field);
    expect(await refusals(suspend(uuidv7()), resume(uuidv7()))).toEqual(['not_found']);
  });
});

it('a deleted key that never took credits is deleted after 90 days, with its free calls; others are kept', async () => {
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
  await ledger.factory.setClock(later(dayMs));
  for (const key_id of [paid, unused, free]) await fixture.keys.remove({ account_id, key_id: key_id ?? '' });
  const keysLeft = async (): Promise<string[]> =>
    (await ledger.query<{ id: string }>('SELECT id FROM api_keys')).map(({ id }) => id);

  const sweep = ledger.get(SweepService);
  await ledger.factory.setClock(later(91 * dayMs - 1));
  await sweep.sweep();
  expect(await keysLeft()).toHaveLength(4);
  await ledger.factory.setClock(later(91 * dayMs));
  expect(await sweep.sweep()).toMatchObject({ 'old keys': 3 });
  expect((await keysLeft()).sort()).toEqual([paid, live].sort());
  // The kept one is not looked at again.
  expect(await sweep.sweep()).toMatchObject({ 'old keys': 0 });
});

it('an account creates at most 100 keys in 24 h, deleted ones included', async () => {
  const { accountId: account_id } = await ledger.customer(0);
  const create = () => makeKey(fixture.keys, account_id, 'one of many');
  await ledger.query(
    `INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at, deleted_at)
     SELECT gen_random_uuid(), $1, 'gone', lpad(number::text, 64, '0'), 'csk_test', 1, ledger_now(), ledger_now()
     FROM generate_series(1, 98) AS number`,
    [account_id],
  );
  await ledger.factory.setClock(later(dayMs / 2));
  await create();
  expect(await refusal(create())).toBe('rate_limited');
  await ledger.factory.setClock(later(dayMs));
  await create();
});
