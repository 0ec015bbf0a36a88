import { v7 as uuidv7 } from 'uuid';
import { AdjustmentsService } from '../credits/adjustments.service.js';
import { PurchasesService } from '../credits/purchases.service.js';
import { minute, day, start, useNotices } from './notices.fixture.js';
import { BalanceNoticesStep, ExpiringLotsStep } from './notices.step.js';

const fixture = useNotices();

/** Checks the balances, this many ms after the start if given, and delivers. */
async function checkBalances(atMs?: number): Promise<void> {
  if (atMs !== undefined) await fixture.setClock(atMs);
  await fixture.get(BalanceNoticesStep).run(500);
  await fixture.deliver();
}

/** Checks the lots at this time, and delivers; resolves to the number of notices. */
async function checkLots(atMs: number): Promise<number> {
  await fixture.setClock(atMs);
  const notified = await fixture.get(ExpiringLotsStep).notify(100);
  await fixture.deliver();
  return notified;
}

const spend = (account_id: string, credits: number): Promise<unknown> =>
  fixture
    .get(AdjustmentsService)
    .adjust({ account_id, credits: -credits, reason: 'spent', reference: uuidv7() });

interface LowBalance {
  readonly data: { readonly threshold: number };
}

describe('a low balance', () => {
  it('is notified once when it falls below the threshold, and again after it has risen above', async () => {
    const email = 'ops@acme.example';
    const id = await fixture.account(email);
    await fixture.ledger.factory.lot({ accountId: id, credits: 1_200 });
    await fixture.change(id, { balance_threshold: 1_000, webhook_url: fixture.receiver.url });
    const notified = () => fixture.inbox.mailsTo(email).map(({ subject }) => subject);
    await checkBalances();
    expect(notified()).toEqual([]);
    await spend(id, 200);
    await checkBalances(minute);
    expect(notified()).toEqual([]);
    await spend(id, 1);
    await checkBalances(2 * minute);
    await spend(id, 1);
    // Nor when the settings are saved again.
    await fixture.change(id, { balance_threshold: 1_000, notify_on_expiry: false });
    await checkBalances(4 * minute);
    expect(notified()).toEqual(['999 credits left']);
    const { text } = await fixture.inbox.mailTo(email);
    expect(text).toContain('The account "Acme" has 999 credits left, fewer than your threshold of 1,000.');
    for (const page of ['buy', 'settings']) expect(text).toContain(`https://api.example/account/${page}\n`);
    await fixture.ledger.factory.lot({ accountId: id, credits: 2 });
    await checkBalances(62 * minute);
    expect(notified()).toEqual(['999 credits left']);
    await spend(id, 10);
    await checkBalances(63 * minute);
    expect(notified()).toEqual(['999 credits left', '990 credits left']);
    expect(JSON.parse(fixture.receiver.received[0]?.body ?? '')).toEqual({
      type: 'balance_low',
      timestamp: new Date(start + 2 * minute).toISOString(),
      data: { account_id: id, credits_remaining: 999, threshold: 1_000 },
    });
  });

  it('is below a tenth of the last pack, unless an owner chooses another threshold or none', async () => {
    const [id, unwilling] = [await fixture.account('ops@acme.example'), await fixture.account()];
    await fixture.change(unwilling, { balance_threshold: 7 });
    await fixture.change(unwilling, { balance_threshold: 0 });
    for (const account_id of [id, unwilling]) {
      for (const pack of ['trial', 'builder'] as const) {
        await fixture.get(PurchasesService).purchase({ account_id, pack, reference: uuidv7() });
      }
      await spend(account_id, 505);
    }
    await checkBalances(minute);
    expect(fixture.inbox.mails.map(({ subject }) => subject)).toEqual(['45 credits left']);
  });

  it('is notified at most once an hour however the threshold changes, and again if it is still low', async () => {
    const id = await fixture.account();
    await fixture.change(id, { webhook_url: fixture.receiver.url, notify_by_email: false });
    const notified = () =>
      fixture.receiver.received.map(({ body }) => (JSON.parse(body) as LowBalance).data.threshold);
    for (let moved = 0; moved < 140; moved += 7) {
      await fixture.setClock((moved * minute) / 20);
      await fixture.change(id, { balance_threshold: 100 + moved });
      await checkBalances();
    }
    expect(notified()).toEqual([100]);
    await checkBalances(60 * minute - 1);
    expect(notified()).toEqual([100]);
    for (const minutes of [61, 180]) {
      await checkBalances(minutes * minute);
      expect(notified()).toEqual([100, 233]);
    }
  });

  it('is noticed while the account is locked, and delays no charge', async () => {
    const customer = await fixture.ledger.customer(10);
    await fixture.change(customer.accountId, { balance_threshold: 100, webhook_url: fixture.receiver.url });
    await fixture.ledger.transactions.run([customer.accountId], () => checkBalances());
    expect(fixture.receiver.received).toHaveLength(1);
    // The settings are locked, as while the step is at work: the charge does not see them.
    await fixture.ledger.ownerTransactions.run([], async ({ query }) => {
      await query('lock settings', 'SELECT FROM notice_settings FOR UPDATE');
      const { reply } = await customer.charge(fixture.ledger.replicas[0], 2);
      expect(reply).toMatchObject({ outcome: 'charged' });
    });
  });
});

describe('a lot that expires soon', () => {
  it('is notified once, three days before, if credits are left', async () => {
    const [id, empty] = [await fixture.account('ops@acme.example'), await fixture.account()];
    const lotId = await fixture.ledger.factory.lot({ accountId: id, credits: 1_234 });
    await fixture.ledger.factory.lot({ accountId: empty, credits: 5 });
    await spend(empty, 5);
    expect(await checkLots(27 * day - 1)).toBe(0);
    expect(await checkLots(27 * day)).toBe(1);
    expect(await checkLots(27 * day)).toBe(0);
    const mail = await fixture.inbox.mailTo('ops@acme.example');
    expect(mail.subject).toBe('1,234 credits will expire on 31 March');
    expect(mail.text).toContain('expire on 31 March 2026 at 12:00 UTC');
    expect(fixture.inbox.mails).toHaveLength(1);
    const expires_at = new Date(start + 30 * day).toISOString();
    expect(await fixture.ledger.query('SELECT data FROM notices')).toEqual([
      { data: { lot_id: lotId, pack: 'trial', remaining: 1_234, expires_at } },
    ]);
  });

  it('is not notified after it has expired, nor where that is turned off', async () => {
    const [late, unwilling] = [await fixture.account(), await fixture.account()];
    for (const accountId of [late, unwilling]) await fixture.ledger.factory.lot({ accountId, credits: 5 });
    await fixture.change(unwilling, { notify_on_expiry: false });
    expect(await checkLots(30 * day)).toBe(0);
    expect(await checkLots(30 * day - 1)).toBe(1);
    expect(fixture.inbox.mails).toHaveLength(1);
    await fixture.change(unwilling, { notify_on_expiry: true });
    expect(await checkLots(30 * day - 1)).toBe(1);
  });

  it('is notified once by replicas that check at the same time, as is a low balance', async () => {
    for (let n = 0; n < 10; n += 1) {
      const accountId = await fixture.account();
      await fixture.ledger.factory.lot({ accountId, credits: 5 });
      await fixture.change(accountId, { balance_threshold: 10 });
    }
    await fixture.setClock(28 * day);
    const replicas = await Promise.all([fixture.replica(), fixture.replica()]);
    for (const max of [4, 100]) {
      await Promise.all(
        replicas.map((replica) =>
          Promise.all([replica.get(ExpiringLotsStep).notify(max), replica.get(BalanceNoticesStep).run(max)]),
        ),
      );
    }
    const sql = 'SELECT count(*)::integer AS count FROM deliveries GROUP BY account_id';
    expect(await fixture.ledger.query(sql)).toEqual(Array(10).fill({ count: 2 }));
  });
});
