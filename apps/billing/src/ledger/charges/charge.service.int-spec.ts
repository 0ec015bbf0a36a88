import { randomUUID } from 'node:crypto';
import { type ChargeReply } from '@app/contracts';
import { ExpiredLotsStep } from '../lots/expired-lots.step.js';
import { OverdueChargesStep } from './overdue-charges.step.js';
import { times, useAuditedLedger } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';

const dayMs = 24 * 60 * 60 * 1_000;

const ledger = useAuditedLedger();

async function entriesOf(accountId: string) {
  const rows = await ledger.query<{ type: string; credits: number; lot_id: string }>(
    'SELECT type, credits, lot_id FROM ledger_entries WHERE account_id = $1 ORDER BY id',
    [accountId],
  );
  return rows.map(({ type, credits, lot_id }) => [type, credits, lot_id]);
}

describe('a charge', () => {
  it('takes the credits of the oldest lot first and reports the balance after it', async () => {
    const customer = await ledger.customer(0);
    const { accountId } = customer;
    const now = Date.now();
    const younger = await ledger.factory.lot({ accountId, credits: 5, purchasedAt: new Date(now - dayMs) });
    const older = await ledger.factory.lot({ accountId, credits: 2, purchasedAt: new Date(now - 2 * dayMs) });
    await ledger.factory.lot({ accountId, credits: 9, purchasedAt: new Date(now - 30 * dayMs) });
    const { reply } = await customer.charge(ledger.replica(0), 3);
    expect(reply).toEqual({ outcome: 'charged', credits_used: 3, credits_remaining: 4 });
    expect((await entriesOf(accountId)).slice(3)).toEqual([
      ['charge', -2, older],
      ['charge', -1, younger],
    ]);
  });

  it('takes nothing when the balance is lower than the cost; the same charge gets the same answer after a purchase', async () => {
    const customer = await ledger.customer(2);
    const { id, reply } = await customer.charge(ledger.replica(0), 3);
    const refused = { outcome: 'insufficient_credits', credits_needed: 3, credits_remaining: 2 };
    expect(reply).toEqual(refused);
    await ledger.factory.lot({ accountId: customer.accountId, credits: 10 });
    expect((await customer.charge(ledger.replica(1), 3, id)).reply).toEqual(refused);
    expect((await customer.charge(ledger.replica(1), 3)).reply).toMatchObject({ outcome: 'charged' });
  });

  it('of 0 credits writes no entry, needs no balance and is posted at once', async () => {
    const customer = await ledger.customer(0);
    const { id, reply } = await customer.charge(ledger.replica(0), 0);
    expect(reply).toEqual({ outcome: 'charged', credits_used: 0, credits_remaining: 0 });
    expect(await entriesOf(customer.accountId)).toEqual([]);
    expect(await customer.settle(ledger.replica(0), id, 'posted')).toBe('posted');
  });

  it('works for an account with more credits than 32 bits can count', async () => {
    const customer = await ledger.customer(2_000_000_000);
    await ledger.factory.lot({ accountId: customer.accountId, credits: 2_000_000_000 });
    const { id, reply } = await customer.charge(ledger.replica(0), 1);
    expect(reply).toMatchObject({ credits_remaining: 3_999_999_999 });
    expect((await customer.charge(ledger.replica(1), 1, id)).reply).toEqual(reply);
  });

  it('repeated any number of times, at once and on both replicas, takes its credits once', async () => {
    const customer = await ledger.customer(100);
    const id = randomUUID();
    const replies = await Promise.all(times(50, (n) => customer.charge(ledger.replica(n), 3, id)));
    for (const { reply } of replies) {
      expect(reply).toEqual({ outcome: 'charged', credits_used: 3, credits_remaining: 97 });
    }
    await customer.charge(ledger.replica(0), 10);
    expect((await customer.charge(ledger.replica(1), 3, id)).reply).toMatchObject({ credits_remaining: 97 });
    expect(await ledger.balance(customer.accountId)).toBe(87);
  });

  it('with the id of another charge is a conflict that reveals nothing about that charge', async () => {
    const [customer, stranger] = [await ledger.customer(10), await ledger.customer(10)];
    const { id } = await customer.charge(ledger.replica(0), 3);
    await expect(stranger.charge(ledger.replica(0), 3, id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(customer.charge(ledger.replica(0), 4, id)).rejects.toMatchObject({ code: 'conflict' });
    const ofOtherAccount = { ...customer.request(3, id), account_id: stranger.accountId };
    await expect(ledger.replica(0).charge(ofOtherAccount)).rejects.toMatchObject({ code: 'conflict' });
    expect(await ledger.balance(stranger.accountId)).toBe(10);
    expect(await ledger.balance(customer.accountId)).toBe(7);
  });

  it('is refused for a key that is unknown, of another account, or switched off', async () => {
    const [customer, stranger] = [await ledger.customer(10), await ledger.customer(10)];
    const charge = (change: object) => ledger.replica(0).charge({ ...customer.request(1), ...change });
    const revoked: ChargeReply = { outcome: 'key_revoked' };
    expect(await charge({ key_id: randomUUID() })).toEqual(revoked);
    expect(await charge({ key_id: stranger.keyId })).toEqual(revoked);
    expect(await charge({ account_id: randomUUID() })).toEqual(revoked);
    await ledger.factory.switchOff(customer.keyId);
    expect(await charge({})).toEqual(revoked);
    expect(await charge({ credits: 0 })).toEqual(revoked);
    expect(await ledger.balance(customer.accountId)).toBe(10);
  });
});

describe('a settlement', () => {
  it('posts or voids a pending charge once, and repeats its answer', async () => {
    const customer = await ledger.customer(10);
    const { id: posted } = await customer.charge(ledger.replica(0), 1);
    const { id: voided } = await customer.charge(ledger.replica(0), 2);
    for (const service of ledger.replicas) {
      expect(await customer.settle(service, posted, 'posted')).toBe('posted');
      expect(await customer.settle(service, voided, 'voided')).toBe('voided');
      expect(await customer.settle(service, posted, 'voided')).toBe('already_posted');
      expect(await customer.settle(service, voided, 'posted')).toBe('voided');
    }
    expect(await ledger.balance(customer.accountId)).toBe(9);
    expect((await customer.charge(ledger.replica(0), 2, voided)).reply).toEqual({ outcome: 'voided' });
  });

  it('that voids an unknown charge keeps it from ever taking credits', async () => {
    const customer = await ledger.customer(10);
    const id = randomUUID();
    expect(await customer.settle(ledger.replica(0), id, 'voided')).toBe('voided');
    expect(await customer.settle(ledger.replica(1), id, 'voided')).toBe('voided');
    expect((await customer.charge(ledger.replica(1), 3, id)).reply).toEqual({ outcome: 'voided' });
    expect(await ledger.balance(customer.accountId)).toBe(10);
  });

  it('that posts an unknown charge does not create it', async () => {
    const customer = await ledger.customer(10);
    const id = randomUUID();
    expect(await customer.settle(ledger.replica(0), id, 'posted')).toBe('unknown_charge');
    expect((await customer.charge(ledger.replica(0), 3, id)).reply).toMatchObject({ outcome: 'charged' });
  });

  it("cannot touch another account's charge", async () => {
    const [customer, stranger] = [await ledger.customer(10), await ledger.customer(10)];
    const { id } = await customer.charge(ledger.replica(0), 3);
    expect(await stranger.settle(ledger.replica(0), id, 'voided')).toBe('unknown_charge');
    expect(await stranger.settle(ledger.replica(0), id, 'posted')).toBe('unknown_charge');
    expect(await ledger.balance(customer.accountId)).toBe(7);
  });

  it('that is malformed is acknowledged, and the rest of its message is applied', async () => {
    const customer = await ledger.customer(10);
    const { id } = await customer.charge(ledger.replica(0), 3);
    const { results } = await ledger.replica(0).settle({
      settlements: [
        { charge_id: 'x', account_id: 'y', outcome: 'voided' },
        customer.settlement(id, 'voided'),
      ],
    });
    expect(results).toEqual([
      { charge_id: 'x', result: 'unknown_charge' },
      { charge_id: id, result: 'voided' },
    ]);
  });
});

describe('a charge that is never settled', () => {
  it('counts as returned from the instant of its time-out, with no sweep running', async () => {
    const startAt = Date.now();
    await ledger.factory.setClock(new Date(startAt));
    const customer = await ledger.customer(10);
    const { id } = await customer.charge(ledger.replica(0), 4);
    await ledger.factory.setClock(new Date(startAt + defaultLedgerOptions.pendingTimeoutMs - 1));
    expect(await ledger.balance(customer.accountId)).toBe(6);
    expect((await customer.charge(ledger.replica(0), 10)).reply).toMatchObject({
      outcome: 'insufficient_credits',
    });
    await ledger.factory.setClock(new Date(startAt + defaultLedgerOptions.pendingTimeoutMs));
    expect(await ledger.balance(customer.accountId)).toBe(10);
    expect((await customer.charge(ledger.replica(0), 10)).reply).toMatchObject({ outcome: 'charged' });
    expect(await customer.settle(ledger.replica(0), id, 'posted')).toBe('expired');
    expect(await customer.settle(ledger.replica(1), id, 'voided')).toBe('voided');
    expect((await customer.charge(ledger.replica(0), 4, id)).reply).toEqual({ outcome: 'voided' });
  });

  it('gives back to the same lot; what expired meanwhile stays expired and the entry says so', async () => {
    const startAt = Date.now();
    await ledger.factory.setClock(new Date(startAt));
    const customer = await ledger.customer(0);
    const { accountId } = customer;
    const purchasedAt = new Date(startAt - 30 * dayMs + 10_000);
    const dying = await ledger.factory.lot({ accountId, credits: 3, purchasedAt });
    const lasting = await ledger.factory.lot({ accountId, credits: 9 });
    const { id } = await customer.charge(ledger.replica(0), 5);
    await ledger.factory.setClock(new Date(startAt + 10_000));
    expect(await customer.settle(ledger.replica(0), id, 'voided')).toBe('voided');
    expect(await ledger.balance(accountId)).toBe(9);
    expect((await entriesOf(accountId)).slice(4)).toEqual([
      ['reversal', 3, dying],
      ['expiry', -3, dying],
      ['reversal', 2, lasting],
    ]);
  });

  it('ends once, whichever of post, void and sweep comes first at its time-out', async () => {
    const startAt = Date.now();
    for (const besideMs of [-1, 0]) {
      await ledger.factory.setClock(new Date(startAt));
      const customer = await ledger.customer(200);
      const ids = (await Promise.all(times(100, (n) => customer.charge(ledger.replica(n), 1)))).map(
        ({ id }) => id,
      );
      await ledger.factory.setClock(new Date(startAt + defaultLedgerOptions.pendingTimeoutMs + besideMs));
      const sweep = ledger.get(OverdueChargesStep);
      const [results] = await Promise.all([
        Promise.all(
          ids.flatMap((id, n) => [
            customer.settle(ledger.replica(n), id, 'posted'),
            customer.settle(ledger.replica(n + 1), id, 'voided'),
          ]),
        ),
        sweep.run(10),
        sweep.run(1_000),
      ]);
      const states = await ledger.query<{ state: string; count: number }>(
        'SELECT state, count(*)::integer AS count FROM charges WHERE account_id = $1 GROUP BY state',
        [customer.accountId],
      );
      const count = (state: string) => states.find((row) => row.state === state)?.count ?? 0;
      expect(count('posted') + count('voided')).toBe(100);
      expect(results.filter((result) => result === 'posted')).toHaveLength(count('posted'));
      expect(results.filter((result) => result === 'already_posted')).toHaveLength(count('posted'));
      if (besideMs === 0) expect(count('posted')).toBe(0);
      expect(await ledger.balance(customer.accountId)).toBe(200 - count('posted'));
    }
  });
});

describe('expiry', () => {
  it('credits are never taken from the instant at which they expire; the sweep only records that', async () => {
    const startAt = Date.now();
    const customer = await ledger.customer(0);
    const purchasedAt = new Date(startAt - 30 * dayMs);
    await ledger.factory.setClock(new Date(startAt - 1));
    await ledger.factory.lot({ accountId: customer.accountId, credits: 5, purchasedAt });
    expect((await customer.charge(ledger.replica(0), 1)).reply).toMatchObject({ credits_remaining: 4 });
    await ledger.factory.setClock(new Date(startAt));
    expect((await customer.charge(ledger.replica(0), 1)).reply).toMatchObject({ credits_remaining: 0 });
    await ledger.get(ExpiredLotsStep).run(10);
    expect((await entriesOf(customer.accountId)).map(([type, credits]) => [type, credits])).toEqual([
      ['purchase', 5],
      ['charge', -1],
      ['expiry', -4],
    ]);
  });
});
