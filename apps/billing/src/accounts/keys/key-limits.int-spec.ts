import { Customer } from '../../ledger/ledger.fixture.js';
import { OverdueChargesStep } from '../../ledger/charges/overdue-charges.js';
import { useKeys } from './keys.fixture.js';

const fixture = useKeys();
const { ledger } = fixture;

const start = new Date('2026-03-31T23:59:00.000Z');
const april = new Date('2026-04-01T00:00:00.000Z');

beforeEach(() => ledger.factory.setClock(start));

const limit = ({ accountId: account_id, keyId: key_id }: Customer, monthly_limit: number | null) =>
  fixture.keys.update({ account_id, key_id, monthly_limit });
const spent = async ({ accountId: account_id, keyId: key_id }: Customer): Promise<number | undefined> =>
  (await fixture.keys.show({ account_id, key_id })).spent_this_month;
const resets_at = april.toISOString();
/** By a limit of 5. */
const refused = (credits_needed: number, credits_remaining: number, spent: number) => ({
  outcome: 'insufficient_credits',
  credits_needed,
  credits_remaining,
  key_limit: { limit: 5, spent, resets_at },
  key_limit_resets_at: resets_at,
});

// `ledger/rules/key-budgets.spec.ts` shows the rule itself, in any history.
describe('a monthly limit of a key', () => {
  it('refuses a call beyond it with the balance and when it resets, again for a repeated message', async () => {
    const customer = await ledger.customer(100);
    await limit(customer, 5);
    expect((await customer.charge(ledger.replica(0), 4)).reply).toMatchObject({ outcome: 'charged' });
    const { id, reply } = await customer.charge(ledger.replica(1), 2);
    expect(reply).toEqual(refused(2, 96, 4));
    expect((await customer.charge(ledger.replica(0), 2, id)).reply).toEqual(reply);
    expect((await customer.charge(ledger.replica(1), 1)).reply).toMatchObject({ outcome: 'charged' });
    expect((await customer.charge(ledger.replica(0), 0)).reply).toMatchObject({ outcome: 'charged' });
    expect(await spent(customer)).toBe(5);
    expect(await ledger.balance(customer.accountId)).toBe(95);
    // It does not hide that the balance is too low.
    const { reply: poor } = await customer.charge(ledger.replica(0), 96);
    expect(poor).toEqual({ ...refused(96, 95, 5), key_limit_resets_at: undefined });
  });

  it('counts what was spent before it was set in the same month, and nothing of other keys', async () => {
    const customer = await ledger.customer(100);
    const other = new Customer(customer.accountId, await ledger.factory.key(customer.accountId, 2));
    await ledger.factory.setClock(new Date('2026-02-28T23:59:59.999Z'));
    await customer.charge(ledger.replica(0), 50);
    await ledger.get(OverdueChargesStep).run(100);
    await ledger.factory.setClock(start);
    await customer.spend(ledger.replica(0), 3);
    await customer.charge(ledger.replica(0), 2);
    expect((await other.charge(ledger.replica(0), 20)).reply).toMatchObject({ outcome: 'charged' });
    await limit(customer, 6);
    expect(await spent(customer)).toBe(5);
    expect((await customer.charge(ledger.replica(0), 2)).reply).toMatchObject({ credits_needed: 2 });
    await limit(customer, 7);
    expect((await customer.charge(ledger.replica(0), 2)).reply).toMatchObject({ outcome: 'charged' });
    await limit(customer, 1);
    expect((await customer.charge(ledger.replica(0), 1)).reply).toMatchObject({ credits_needed: 1 });
    await limit(customer, null);
    expect(await spent(customer)).toBeUndefined();
    expect((await customer.charge(ledger.replica(0), 9)).reply).toMatchObject({ outcome: 'charged' });
  });

  it('is given back by a void, and by a time-out from its instant on; a new month owes the one before nothing', async () => {
    const customer = await ledger.customer(100);
    await limit(customer, 5);
    const { id } = await customer.charge(ledger.replica(0), 5);
    await customer.settle(ledger.replica(1), id, 'voided');
    expect(await spent(customer)).toBe(0);
    await customer.charge(ledger.replica(0), 5);
    await ledger.factory.setClock(new Date(start.getTime() + 29_999));
    expect((await customer.charge(ledger.replica(0), 1)).reply).toEqual(refused(1, 95, 5));
    expect(await spent(customer)).toBe(5);
    await ledger.factory.setClock(new Date(start.getTime() + 30_000));
    expect(await spent(customer)).toBe(0);
    await ledger.factory.setClock(new Date(april.getTime() - 1));
    const { id: late } = await customer.charge(ledger.replica(0), 5);
    await ledger.factory.setClock(april);
    expect(await spent(customer)).toBe(0);
    expect((await customer.charge(ledger.replica(0), 4)).reply).toMatchObject({ outcome: 'charged' });
    await customer.settle(ledger.replica(0), late, 'voided');
    expect(await spent(customer)).toBe(4);
    expect((await customer.charge(ledger.replica(0), 2)).reply).toMatchObject({ credits_needed: 2 });
  });
});
