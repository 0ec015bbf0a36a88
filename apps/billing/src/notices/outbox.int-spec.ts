import { until } from '#testing';
import { MembersService } from '../people/members/members.service.js';
import { AccountTransactions } from '../database/account-transactions.js';
import { dayMs as day } from '../durations.js';
import { claimDue, idle, paymentOf, start, useNotices } from './notices.fixture.js';
import { DeliveryWorker } from './delivery-worker.js';
import { DeliveriesRepository, leaseMs } from './deliveries.repository.js';

const fixture = useNotices();
const email = 'ops@acme.example';

describe('a payment', () => {
  it('notifies every owner who has signed in and the webhook, once for its order', async () => {
    const id = await fixture.account(email);
    await fixture.ledger.factory.member(id, 'b@acme.example', 'owner');
    await fixture.ledger.factory.member(id, 'c@acme.example');
    await fixture.signIn(id);
    await fixture.ledger.factory.member(id, 'never@stranger.example', 'owner');
    await fixture.change(id, { webhook_url: fixture.receiver.url });
    const orderId = await fixture.pay(id);
    await fixture.pay(id, { order_id: orderId });
    expect(await fixture.deliver()).toBe(3);
    const { text, headers } = await fixture.inbox.mailTo(email, 1, 'Payment');
    expect(headers['list-unsubscribe']).toBe('<https://api.example/account/settings>');
    expect(text).toContain('account "Acme". They expire on 31 March 2026 at 12:00 UTC.');
    expect(text).toContain(`https://api.example/account/buy/${orderId}\n`);
    const paid = fixture.inbox.mails.filter(({ subject }) => subject === 'Payment received: $149.00');
    expect(paid.map(({ to }) => to).sort()).toEqual(['b@acme.example', email]);
    expect(JSON.parse(fixture.receiver.received[0]?.body ?? '')).toEqual({
      type: 'payment_received',
      timestamp: new Date(start).toISOString(),
      data: { account_id: id, ...paymentOf({ order_id: orderId }) },
    });
  });

  it.each([
    [17_731, 2_831, 'received $177.31, including $28.31 tax. 500 credits'],
    [0, 0, 'A discount covers your order. 500 credits'],
    [null, null, 'We have received your payment. 500 credits'],
  ])('of %j, tax %j, says what was paid', async (total_cents, tax_cents, sentence) => {
    await fixture.pay(await fixture.account(email), { total_cents, tax_cents });
    await fixture.deliver();
    expect((await fixture.inbox.mailTo(email)).text).toContain(sentence);
  });

  it('notifies no one where that is turned off, and when it is rolled back', async () => {
    const id = await fixture.hooked();
    const failing = fixture.get(AccountTransactions).run([id], async (locked) => {
      await fixture.notices.paymentReceived(locked, id, paymentOf());
      throw new Error('not granted');
    });
    await expect(failing).rejects.toThrow('not granted');
    await fixture.change(id, { notify_on_payment: false });
    await fixture.pay(id);
    expect(await fixture.deliver()).toBe(0);
  });
});

describe('a delivery', () => {
  it('is made by one of several replicas', async () => {
    await fixture.hooked(25);
    const replicas = await Promise.all([fixture.replica(), fixture.replica(), fixture.replica()]);
    const attempts = await Promise.all(replicas.map((replica) => fixture.deliver(replica)));
    expect(attempts.reduce((sum, each) => sum + each)).toBe(25);
    expect(new Set(fixture.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(25);
  });

  it('that fails is retried with the same id and bytes, at the webhook as it is then, and given up after three days', async () => {
    const id = await fixture.hooked(1);
    fixture.receiver.answer(503);
    for (const [ms, attempts] of [[0, 1] as const, [4_999, 0] as const, [5_000, 1] as const]) {
      await fixture.setClock(ms);
      expect(await fixture.deliver()).toBe(attempts);
    }
    await fixture.change(id, { webhook_url: `${fixture.receiver.url}/fixed` });
    fixture.receiver.answer(204);
    await fixture.setClock(35_000);
    expect([await fixture.deliver(), await fixture.deliver()]).toEqual([1, 0]);
    const { received } = fixture.receiver;
    expect(
      new Set(received.map(({ body, headers }) => `${String(headers['webhook-id'])} ${body}`)).size,
    ).toBe(1);
    expect(received.map(({ path }) => path.endsWith('/fixed'))).toEqual([false, false, true]);
    fixture.receiver.answer(500);
    await fixture.pay(id);
    await fixture.setClock(4 * day);
    await fixture.deliver();
    const givenUp = { state: 'given_up', problem: 'The webhook answered 500.', attempts: 1 };
    const delivered = { state: 'delivered', attempts: 3, problem: null };
    expect(await fixture.notices.list(id)).toMatchObject([givenUp, delivered]);
  });

  it('of a dead or slow replica is made by another one when the lease ends, and not before', async () => {
    const id = await fixture.hooked(1);
    const [slow, other] = await Promise.all([fixture.replica(), fixture.replica()]);
    const [claimed] = await slow.get(DeliveriesRepository).claim('webhook', 10);
    if (!claimed) throw new Error('nothing to deliver');
    await fixture.setClock(leaseMs - 1);
    expect(await fixture.deliver(other)).toBe(0);
    await fixture.setClock(leaseMs);
    expect(await fixture.deliver(other)).toBe(1);
    const end = { state: 'given_up', nextAttemptAt: null, problem: 'late' } as const;
    await slow.get(DeliveriesRepository).finish(claimed, end);
    const delivered = { state: 'delivered', attempts: 2, problem: null };
    expect(await fixture.notices.list(id)).toMatchObject([delivered]);
  });

  it('is given up for former owners, a removed webhook and accounts without mail', async () => {
    const id = await fixture.account(email);
    const other = await fixture.ledger.factory.member(id, 'b@acme.example', 'owner');
    await fixture.signIn(id);
    await fixture.change(id, { webhook_url: fixture.receiver.url });
    await fixture.pay(id);
    await fixture.get(MembersService).remove({ account_id: id, person_id: other }, {});
    await fixture.change(id, { webhook_url: '' });
    await fixture.deliver();
    const states = ['mail delivered', 'mail given_up', 'webhook given_up'];
    expect((await fixture.listed(id)).sort()).toEqual(states.map((state) => `payment_received ${state}`));
    await fixture.pay(id);
    await fixture.change(id, { notify_by_email: false });
    await fixture.deliver();
    const problem = 'Email notifications are turned off.';
    expect((await fixture.notices.list(id))[0]).toMatchObject({ problem });
  });

  it('answered with 410 removes the webhook, and the owners are notified by mail', async () => {
    const id = await fixture.account(email);
    await fixture.change(id, { webhook_url: fixture.receiver.url, notify_by_email: false });
    await fixture.pay(id);
    fixture.receiver.answer(410);
    await fixture.deliver();
    expect(await fixture.listed(id)).toContain('payment_received webhook given_up');
    expect((await fixture.inbox.mailTo(email, 1, 'Webhook removed')).text).toContain('hooks.example');
    expect(await fixture.notices.show(id)).toMatchObject({ webhook_url: null, webhook_secret: null });
  });

  it('is signed with a new secret and, for a day, with the one before', async () => {
    const id = await fixture.hooked();
    const before = await fixture.notices.show(id);
    const after = await fixture.change(id, { rotate_webhook_secret: true });
    expect(after.webhook_secret).not.toBe(before.webhook_secret);
    for (const ms of [day - 1, day]) {
      await fixture.setClock(ms);
      await fixture.pay(id);
      await fixture.deliver();
    }
    const signatures = fixture.receiver.received.map(({ headers }) => String(headers['webhook-signature']));
    expect(signatures.map((text) => text.split(' ').length)).toEqual([2, 1]);
  });

  it('by mail is retried while the server is busy, with the same Message-ID, but not when it refuses', async () => {
    const id = await fixture.account(email);
    await fixture.pay(id);
    fixture.inbox.refuse(() => ({ code: 451, text: 'Busy' }));
    await fixture.deliver();
    const waiting = { state: 'waiting', problem: 'The mail server could not be reached.' };
    expect(await fixture.notices.list(id)).toMatchObject([waiting]);
    fixture.inbox.refuse(() => null);
    await fixture.setClock(5_000);
    await fixture.deliver();
    const [delivery] = await fixture.notices.list(id);
    const { headers } = await fixture.inbox.mailTo(email, 1, 'Payment');
    expect(headers['message-id']).toBe(`<${delivery?.id}@api.example>`);
    fixture.inbox.refuse(() => ({ code: 550, text: 'No such mailbox' }));
    await fixture.pay(id);
    await fixture.deliver();
    const refused = { state: 'given_up', attempts: 1, problem: 'The mail server refused the mail.' };
    expect((await fixture.notices.list(id))[0]).toMatchObject(refused);
  });
});

/** From now on, webhooks under this path hang; returns what lets them go. */
function hang(part: string): () => void {
  const held: (() => void)[] = [];
  fixture.receiver.answer((response, path) => {
    const end = () => void response.writeHead(204).end();
    if (path.includes(part)) held.push(end);
    else end();
  });
  return () => {
    fixture.receiver.answer(204);
    for (const end of held) end();
  };
}

const received = (part: string): number =>
  fixture.receiver.received.filter(({ path }) => path.includes(part)).length;

it('an account has two webhooks in progress at once over all replicas, which delay no mail and no webhook of others', async () => {
  await fixture.hooked(10, '/slow');
  const release = hang('/slow');
  const replicas = [await fixture.replica(), await fixture.replica(), await fixture.replica()];
  const workers = replicas.map((replica) => replica.get(DeliveryWorker));
  const look = async () => {
    const begun = await Promise.all(workers.map(claimDue));
    return begun.reduce((sum, each) => sum + each);
  };
  expect(await look()).toBe(2);
  await until(() => received('/slow') === 2);
  const other = await fixture.account(email);
  await fixture.change(other, { webhook_url: `${fixture.receiver.url}/quick` });
  await fixture.pay(other);
  expect(await look()).toBe(2);
  await fixture.inbox.mailTo(email, 1, 'Payment received');
  await until(() => received('/quick') === 1);
  // Attempts of a dead replica count until their lease ends.
  await fixture.setClock(leaseMs - 1);
  expect(await look()).toBe(0);
  await fixture.setClock(leaseMs);
  expect(await look()).toBe(2);
  release();
  await Promise.all(workers.map(idle));
  expect(await fixture.deliver()).toBe(6);
});
