import { until } from '@app/testing';
import { v7 as uuidv7 } from 'uuid';
import { AdjustmentsService } from '../credits/adjustments.service.js';
import { minute, day, start, useNotices } from './notices.fixture.js';
import { BalanceNoticesStep } from './balance-notices.step.js';
import { ExpiringLotsStep } from './expiring-lots.step.js';

const fixture = useNotices();

/** Looks at the balances, and delivers. */
async function checkBalances(): Promise<void> {
  await fixture.get(BalanceNoticesStep).run(500);
  await fixture.deliver();
}

/** Looks at the lots, and delivers; resolves to the number of notices. */
async function checkLots(): Promise<number> {
  const told = await fixture.get(ExpiringLotsStep).notify(100);
  await fixture.deliver();
  return told;
}

interface Told {
  readonly data: { readonly threshold: number };
}

const spend = (account_id: string, credits: number): Promise<unknown> =>
  fixture
    .get(AdjustmentsService)
    .adjust({ account_id, credits: -credits, reason: 'spent', reference: uuidv7() });

describe('a low balance', () => {
  it('is told once when it falls below the threshold, and again after it has risen above', async () => {
    const email = 'ops@acme.example';
    const id = await fixture.account(email);
    await fixture.ledger.factory.lot({ accountId: id, credits: 1_200 });
    await fixture.change(id, { balance_threshold: 1_000, webhook_url: fixture.receiver.url });
    const told = () => fixture.inbox.mailsTo(email).map(({ subject }) => subject);
    await checkBalances();
    expect(told()).toEqual([]);
    await spend(id, 200);
    await fixture.setClock(minute);
    await checkBalances();
    expect(told()).toEqual([]);
    await spend(id, 1);
    await fixture.setClock(2 * minute);
    await checkBalances();
    await checkBalances();
    await spend(id, 1);
    await fixture.setClock(3 * minute);
    await checkBalances();
    expect(told()).toEqual(['999 credits left']);
    await fixture.ledger.factory.lot({ accountId: id, credits: 2 });
    await fixture.setClock(62 * minute);
    await checkBalances();
    expect(told()).toEqual(['999 credits left']);
    await spend(id, 10);
    await fixture.setClock(63 * minute);
    await checkBalances();
    expect(told()).toEqual(['999 credits left', '990 credits left']);
    expect(JSON.parse(fixture.receiver.received[0]?.body ?? '')).toEqual({
      type: 'balance_low',
      timestamp: new Date(start + 2 * minute).toISOString(),
      data: { account_id: id, credits_remaining: 999, threshold: 1_000 },
    });
    expect(await fixture.listed(id)).toEqual([
      ...['balance_low webhook delivered', 'balance_low mail delivered'],
      ...['balance_low webhook delivered', 'balance_low mail delivered'],
    ]);
  });

  it('is told in plain words, with where to buy and where to change it', async () => {
    const id = await fixture.account('ops@acme.example');
    await fixture.change(id, { balance_threshold: 5 });
    await checkBalances();
    const { text, headers } = await fixture.inbox.mailTo('ops@acme.example');
    expect(text).toContain('The account "Acme" has 0 credits left, fewer than your threshold of 5.');
    expect(text).toContain('https://api.example/account/buy\n');
    expect(text).toContain('https://api.example/account/settings\n');
    expect(headers['message-id']).toMatch(/^<[0-9a-f-]{36}@api\.example>$/);
  });

  it('is not told again when settings are saved with the threshold as it was', async () => {
    const id = await fixture.account();
    const form = { balance_threshold: 1_000, webhook_url: fixture.receiver.url, notify_by_email: false };
    await fixture.change(id, form);
    await checkBalances();
    expect(fixture.receiver.received).toHaveLength(1);
    await fixture.change(id, { ...form, notify_on_expiry: false });
    await fixture.setClock(minute);
    await checkBalances();
    expect(fixture.receiver.received).toHaveLength(1);
    await fixture.setClock(60 * minute);
    await fixture.change(id, { ...form, balance_threshold: 2_000 });
    await checkBalances();
    expect(fixture.receiver.received).toHaveLength(2);
  });

  it('is told once an hour at most, whatever is done to the threshold, and then if it is still low', async () => {
    const id = await fixture.account();
    await fixture.change(id, { webhook_url: fixture.receiver.url, notify_by_email: false });
    const told = () => fixture.receiver.received.map(({ body }) => (JSON.parse(body) as Told).data.threshold);
    for (let moved = 0; moved < 140; moved += 1) {
      await fixture.setClock((moved * minute) / 20);
      await fixture.change(id, { balance_threshold: 100 + moved });
      await checkBalances();
    }
    expect(told()).toEqual([100]);
    await fixture.setClock(60 * minute - 1);
    await checkBalances();
    expect(told()).toEqual([100]);
    await fixture.setClock(61 * minute);
    await checkBalances();
    expect(told()).toEqual([100, 239]);
    await fixture.setClock(180 * minute);
    await checkBalances();
    expect(told()).toEqual([100, 239]);
  });

  it('is not told again when settings are saved while it is told', async () => {
    const id = await fixture.account();
    await fixture.change(id, { balance_threshold: 1_000, webhook_url: fixture.receiver.url });
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    // As the step does it.
    const saved = await fixture.ledger.ownerTransactions.run([], async ({ query }) => {
      await query(
        'tell',
        'UPDATE notice_settings SET is_balance_low = true, balance_checked_at = ledger_now()',
      );
      const saving = fixture.change(id, { notify_on_expiry: false });
      await until(async () => (await fixture.ledger.query(waiting)).length === 1);
      return { saving };
    });
    await saved.saving;
    await fixture.setClock(minute);
    await checkBalances();
    expect(fixture.receiver.received).toEqual([]);
  });

  it('is looked at once a minute, and at once when the threshold has changed', async () => {
    const id = await fixture.account();
    await fixture.change(id, { balance_threshold: 1 });
    const step = fixture.get(BalanceNoticesStep);
    expect(await step.run(500)).toBe(1);
    await fixture.setClock(minute - 1);
    expect(await step.run(500)).toBe(0);
    await fixture.change(id, { balance_threshold: 2 });
    expect(await step.run(500)).toBe(1);
    await fixture.setClock(2 * minute - 1);
    expect(await step.run(500)).toBe(1);
    await fixture.change(id, { balance_threshold: 0 });
    await fixture.setClock(9 * minute);
    expect(await step.run(500)).toBe(0);
  });

  it('is found while the account is locked, and keeps no charge waiting', async () => {
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

  it('is told by one of several replicas', async () => {
    for (let n = 0; n < 12; n += 1) await fixture.change(await fixture.account(), { balance_threshold: 5 });
    const replicas = await Promise.all([fixture.replica(), fixture.replica()]);
    await Promise.all(replicas.map((replica) => replica.get(BalanceNoticesStep).run(4)));
    await Promise.all(replicas.map((replica) => replica.get(BalanceNoticesStep).run(500)));
    await fixture.deliver();
    await until(() => fixture.inbox.mails.length === 12);
    expect(new Set(fixture.inbox.mails.map(({ to }) => to)).size).toBe(12);
  });
});

describe('a lot that is about to expire', () => {
  it('is told three days before, once, when credits are left', async () => {
    const [id, empty] = [
      await fixture.account('ops@acme.example'),
      await fixture.account('none@acme.example'),
    ];
    const lotId = await fixture.ledger.factory.lot({ accountId: id, credits: 1_234 });
    await fixture.ledger.factory.lot({ accountId: empty, credits: 5 });
    await spend(empty, 5);
    await fixture.setClock(27 * day - 1);
    expect(await checkLots()).toBe(0);
    await fixture.setClock(27 * day);
    expect(await checkLots()).toBe(1);
    expect(await checkLots()).toBe(0);
    const mail = await fixture.inbox.mailTo('ops@acme.example');
    expect(mail.subject).toBe('1,234 credits will expire on 31 March');
    expect(mail.text).toContain('expire on 31 March 2026 at 12:00 UTC');
    expect(fixture.inbox.mails).toHaveLength(1);
    expect(await fixture.ledger.query('SELECT subject, data FROM notices')).toEqual([
      {
        subject: lotId,
        data: {
          lot_id: lotId,
          pack: 'trial',
          remaining: 1_234,
          expires_at: new Date(start + 30 * day).toISOString(),
        },
      },
    ]);
  });

  it('is not told after it has expired, nor to who does not want it', async () => {
    const [late, unwilling] = [await fixture.account(), await fixture.account()];
    for (const accountId of [late, unwilling]) await fixture.ledger.factory.lot({ accountId, credits: 5 });
    await fixture.change(unwilling, { notify_on_expiry: false });
    await fixture.setClock(30 * day);
    expect(await checkLots()).toBe(0);
    await fixture.setClock(30 * day - 1);
    expect(await checkLots()).toBe(1);
    expect(fixture.inbox.mails).toHaveLength(1);
    await fixture.change(unwilling, { notify_on_expiry: true });
    expect(await checkLots()).toBe(1);
  });

  it('is told once by replicas that look at the same time', async () => {
    for (let n = 0; n < 10; n += 1) {
      await fixture.ledger.factory.lot({ accountId: await fixture.account(), credits: 5 });
    }
    await fixture.setClock(28 * day);
    const replicas = await Promise.all([fixture.replica(), fixture.replica()]);
    await Promise.all(replicas.map((replica) => replica.get(ExpiringLotsStep).notify(100)));
    expect(await fixture.ledger.query('SELECT count(*)::integer AS count FROM deliveries')).toEqual([
      { count: 10 },
    ]);
  });
});
