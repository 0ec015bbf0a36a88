import { hashApiKey } from '#platform';
import { until } from '#testing';
import { type Customer } from '../../ledger/ledger.fixture.js';
import { keyRequest, makeKey, useKeys } from './keys.fixture.js';

const fixture = useKeys();
const { ledger } = fixture;

const start = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number): Date => new Date(start.getTime() + ms);
const time = (ms: number): string => later(ms).toISOString();
const notInFuture = {
  code: 'invalid_request',
  details: { expires_at: ['expires_at must be in the future'] },
};

beforeEach(() => ledger.factory.setClock(start));

const pathOf = ({ accountId: account_id, keyId: key_id }: Customer) => ({ account_id, key_id });
const outcomes = async (customer: Customer): Promise<string[]> =>
  (await Promise.all(ledger.replicas.map((replica) => customer.charge(replica, 1)))).map(
    ({ reply }) => reply.outcome,
  );

describe('a key with an expiry', () => {
  it('pays until a millisecond before it, by both ways of charging, and again with a new date', async () => {
    const customer = await ledger.customer(20);
    await fixture.keys.update({ ...pathOf(customer), expires_at: time(1_000) });
    await ledger.factory.setClock(later(999));
    expect(await outcomes(customer)).toEqual(['charged', 'charged']);
    await ledger.factory.setClock(later(1_000));
    expect(await outcomes(customer)).toEqual(['key_revoked', 'key_revoked']);
    const listed = await fixture.keys.list(customer.accountId);
    expect(listed).toMatchObject([{ active: true, expires_at: time(1_000) }]);
    await fixture.keys.update({ ...pathOf(customer), expires_at: null });
    expect(await outcomes(customer)).toEqual(['charged', 'charged']);
  });

  it('is told to gateways with the time that it has left, and unknown from its instant on', async () => {
    const account_id = await ledger.factory.account();
    const { request, secret } = keyRequest(account_id, 'server');
    await fixture.keys.create({ ...request, expires_at: '2026-03-01T13:00:01+01:00' });
    const found = () => fixture.keys.authenticate([hashApiKey(secret)]);
    expect(await found()).toMatchObject([{ account_id, valid_for_ms: 1_000 }]);
    await ledger.factory.setClock(later(999));
    expect(await found()).toMatchObject([{ valid_for_ms: 1 }]);
    await ledger.factory.setClock(later(1_000));
    expect(await found()).toEqual([null]);
  });

  it('keeps its place among the five until it is deleted', async () => {
    const account_id = await ledger.factory.account();
    const { request } = keyRequest(account_id, 'short');
    await fixture.keys.create({ ...request, expires_at: time(1) });
    for (let count = 0; count < 4; count += 1) await makeKey(fixture.keys, account_id, 'more');
    await ledger.factory.setClock(later(1));
    await expect(makeKey(fixture.keys, account_id, 'sixth')).rejects.toMatchObject({ code: 'conflict' });
    await fixture.keys.remove({ account_id, key_id: request.key_id });
    expect(await makeKey(fixture.keys, account_id, 'sixth')).toMatchObject({ expires_at: null });
  });

  it('is announced when it changes', async () => {
    const account_id = await ledger.factory.account();
    const { id, key } = await makeKey(fixture.keys, account_id, 'server');
    const announced = await fixture.announced();
    await fixture.keys.update({ account_id, key_id: id, expires_at: time(1) });
    await until(() => announced.length === 1);
    expect(announced).toEqual([{ key_id: id, key_hash: hashApiKey(key) }]);
  });
});

it('an expiry that is not in the future is refused, at creation and at a change', async () => {
  const customer = await ledger.customer(1);
  const { request } = keyRequest(customer.accountId, 'late');
  await expect(fixture.keys.create({ ...request, expires_at: time(0) })).rejects.toMatchObject(notInFuture);
  const change = { ...pathOf(customer), expires_at: time(-1) };
  await expect(fixture.keys.update(change)).rejects.toMatchObject(notInFuture);
  expect(await fixture.keys.list(customer.accountId)).toMatchObject([{ expires_at: null }]);
});

it('an Idempotency-Key with another expiry is a conflict, and with the same one the same key', async () => {
  const account_id = await ledger.factory.account();
  const first = keyRequest(account_id, 'server', 'order 1').request;
  const again = () => keyRequest(account_id, 'server', 'order 1').request;
  await fixture.keys.create({ ...first, expires_at: time(1_000) });
  const repeated = await fixture.keys.create({ ...again(), expires_at: '2026-03-01T12:00:01Z' });
  expect(repeated).toMatchObject({ created: false, key: { id: first.key_id, expires_at: time(1_000) } });
  for (const expires_at of [null, time(2_000)]) {
    const other = fixture.keys.create({ ...again(), expires_at });
    await expect(other).rejects.toMatchObject({ code: 'conflict' });
  }
});
