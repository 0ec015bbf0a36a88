import { randomUUID } from 'node:crypto';
import { type ChargeReply } from '#contracts';
import { type Customer, useAuditedLedger } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';

const ledger = useAuditedLedger();

const customerAndStranger = async (): Promise<[Customer, Customer]> => [
  await ledger.customer(10),
  await ledger.customer(10),
];

describe('a charge', () => {
  it('works for an account with more credits than 32 bits can count', async () => {
    const customer = await ledger.customer(2_000_000_000);
    await ledger.factory.lot({ accountId: customer.accountId, credits: 2_000_000_000 });
    const { id, reply } = await customer.charge(ledger.replica(0), 1);
    expect(reply).toMatchObject({ credits_remaining: 3_999_999_999 });
    expect((await customer.charge(ledger.replica(1), 1, id)).reply).toEqual(reply);
  });

  it('is refused for a key that is unknown, of another account or deleted', async () => {
    const [customer, stranger] = await customerAndStranger();
    const charge = (change: object) => ledger.replica(0).charge({ ...customer.request(1), ...change });
    const revoked: ChargeReply = { outcome: 'key_revoked' };
    expect(await charge({ key_id: randomUUID() })).toEqual(revoked);
    expect(await charge({ key_id: stranger.keyId })).toEqual(revoked);
    expect(await charge({ account_id: randomUUID() })).toEqual(revoked);
    await ledger.query('UPDATE api_keys SET deleted_at = ledger_now() WHERE id = $1', [customer.keyId]);
    expect(await charge({})).toEqual(revoked);
    expect(await charge({ credits: 0 })).toEqual(revoked);
    expect(await ledger.balance(customer.accountId)).toBe(10);
  });
});

describe('a charge id that is used for another charge', () => {
  it('is a conflict that reveals nothing about that charge', async () => {
    const [customer, stranger] = await customerAndStranger();
    const { id } = await customer.charge(ledger.replica(0), 3);
    await expect(stranger.charge(ledger.replica(0), 3, id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(customer.charge(ledger.replica(0), 4, id)).rejects.toMatchObject({ code: 'conflict' });
    const ofOtherAccount = { ...customer.request(3, id), account_id: stranger.accountId };
    await expect(ledger.replica(0).charge(ofOtherAccount)).rejects.toMatchObject({ code: 'conflict' });
    expect(await ledger.balance(stranger.accountId)).toBe(10);
    expect(await ledger.balance(customer.accountId)).toBe(7);
  });

  it('belongs to the account that voided it before any charge: another account gets a conflict', async () => {
    const [customer, stranger] = await customerAndStranger();
    const [service] = ledger.replicas;
    const id = randomUUID();
    expect(await customer.settle(service, id, 'voided')).toBe('voided');
    expect(await stranger.settle(service, id, 'voided')).toBe('unknown_charge');
    expect(await stranger.settle(service, id, 'posted')).toBe('unknown_charge');
    await expect(stranger.charge(service, 1, id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await customer.settle(service, id, 'posted')).toBe('voided');
    expect((await customer.charge(service, 1, id)).reply).toEqual({ outcome: 'voided' });
  });

  it("can't be settled by another account, even when it is overdue", async () => {
    const startAt = Date.now();
    await ledger.factory.setClock(new Date(startAt));
    const [customer, stranger] = await customerAndStranger();
    const [service] = ledger.replicas;
    const { id } = await customer.charge(service, 4);
    for (const elapsedMs of [0, defaultLedgerOptions.pendingTimeoutMs]) {
      await ledger.factory.setClock(new Date(startAt + elapsedMs));
      expect(await stranger.settle(service, id, 'voided')).toBe('unknown_charge');
      expect(await stranger.settle(service, id, 'posted')).toBe('unknown_charge');
      expect(await ledger.query('SELECT state FROM charges')).toEqual([{ state: 'pending' }]);
    }
    expect(await customer.settle(service, id, 'voided')).toBe('voided');
  });
});

it('a settlement that is malformed is acknowledged, and the rest of its message is applied', async () => {
  const customer = await ledger.customer(10);
  const { id } = await customer.charge(ledger.replica(0), 3);
  const { results } = await ledger.replica(0).settle({
    settlements: [{ charge_id: 'x', account_id: 'y', outcome: 'voided' }, customer.settlement(id, 'voided')],
  });
  expect(results).toEqual([
    { charge_id: 'x', result: 'unknown_charge' },
    { charge_id: id, result: 'voided' },
  ]);
});
