import { v7 as uuidv7 } from 'uuid';
import { type Customer } from '../../ledger/ledger.fixture.js';
import { refusal } from '../../people/people.fixture.js';
import { AccountsService } from '../accounts.service.js';
import { keyRequest, makeKey, useKeys } from '../keys/keys.fixture.js';
import { SuspensionsService } from './suspensions.service.js';
import { hashApiKey } from '#platform';
import { until } from '#testing';

const fixture = useKeys();
const { ledger } = fixture;

const reason = 'resells credits';
const suspend = (account_id: string) => fixture.get(SuspensionsService).suspend({ account_id, reason });
const resume = (account_id: string) => fixture.get(SuspensionsService).resume({ account_id });
const outcomes = async (customer: Customer): Promise<string[]> =>
  (await Promise.all(ledger.replicas.map((replica) => customer.charge(replica, 1)))).map(
    ({ reply }) => reply.outcome,
  );

describe('a suspended account', () => {
  it('pays for no call and its keys are unknown, until it is resumed; its balance stays', async () => {
    const customer = await ledger.customer(10);
    const { key } = await makeKey(fixture.keys, customer.accountId, 'server');
    expect(await outcomes(customer)).toEqual(['charged', 'charged']);
    await suspend(customer.accountId);
    expect(await outcomes(customer)).toEqual(['key_revoked', 'key_revoked']);
    expect(await fixture.keys.authenticate([hashApiKey(key)])).toEqual([null]);
    expect(await ledger.balance(customer.accountId)).toBe(8);
    await resume(customer.accountId);
    expect(await outcomes(customer)).toEqual(['charged', 'charged']);
    expect(await fixture.keys.authenticate([hashApiKey(key)])).toMatchObject([{ credits_remaining: 6 }]);
  });

  it('pays neither by the short way nor under the lock', async () => {
    const customer = await ledger.customer(10);
    const { id } = await customer.charge(ledger.replica(0), 1);
    await suspend(customer.accountId);
    const commands = [
      customer.charge(ledger.replica(0), 1),
      customer.settle(ledger.replica(0), id, 'voided'),
    ];
    const [charged] = await Promise.all(commands);
    expect(charged).toMatchObject({ reply: { outcome: 'key_revoked' } });
    expect(await ledger.balance(customer.accountId)).toBe(10);
  });

  it('has its pending charges settled', async () => {
    const customer = await ledger.customer(10);
    const [posted, voided] = [
      await customer.charge(ledger.replica(0), 1),
      await customer.charge(ledger.replica(0), 1),
    ];
    await suspend(customer.accountId);
    expect(await customer.settle(ledger.replica(0), posted.id, 'posted')).toBe('posted');
    expect(await customer.settle(ledger.replica(0), voided.id, 'voided')).toBe('voided');
    expect(await ledger.balance(customer.accountId)).toBe(9);
  });

  it('gets no new key, and is announced to the gateways with each of its keys', async () => {
    const account_id = await ledger.factory.account();
    const made = [
      await makeKey(fixture.keys, account_id, 'one'),
      await makeKey(fixture.keys, account_id, 'two'),
    ];
    const announced = await fixture.announced();
    await suspend(account_id);
    const hashes = made.map(({ key }) => hashApiKey(key)).sort();
    await until(() => announced.length === 2);
    expect(announced.map(({ key_hash }) => key_hash).sort()).toEqual(hashes);
    expect(await refusal(fixture.keys.create(keyRequest(account_id, 'three').request))).toBe('conflict');
    await resume(account_id);
    expect(await makeKey(fixture.keys, account_id, 'three')).toMatchObject({ name: 'three' });
  });

  it('shows since when and why; suspended again only the reason changes', async () => {
    const account_id = await ledger.factory.account();
    const { suspended_at } = await suspend(account_id);
    expect(Date.parse(suspended_at ?? '')).not.toBeNaN();
    const again = await fixture.get(SuspensionsService).suspend({ account_id, reason: 'fraud' });
    expect(again).toMatchObject({ suspended_at, suspension_reason: 'fraud' });
    expect(await ledger.get(AccountsService).show(account_id)).toMatchObject(again);
    expect(await resume(account_id)).not.toHaveProperty('suspended_at');
    expect(await resume(account_id)).not.toHaveProperty('suspension_reason');
  });
});

it('an account that does not exist is neither suspended nor resumed', async () => {
  expect(await refusal(suspend(uuidv7()))).toBe('not_found');
  expect(await refusal(resume(uuidv7()))).toBe('not_found');
});
