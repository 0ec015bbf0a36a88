import { until } from '#testing';
import { MembersService } from '../people/members/members.service.js';
import { AccountTransactions } from '../database/account-transactions.js';
import { day, minute, paymentOf, start, useNotices } from './notices.fixture.js';
import { DeliveryWorker } from './delivery-worker.js';
import { DeliveriesRepository, leaseMs } from './deliveries.repository.js';

const fixture = useNotices();
const email = 'ops@acme.example';

describe('a payment', () => {
  it('notifies every owner and the webhook, once for its order', async () => {
    const id = await fixture.account(email);
    await fixture.ledger.factory.member(id, 'b@acme.example', 'owner');
    await fixture.ledger.factory.member(id, 'c@acme.example');
    await fixture.signIn(id);
    await fixture.change(id, { webhook_url: fixture.receiver.url });
    const orderId = await fixture.pay(id);
    await fixture.pay(id, { orderId });
    expect(await fixture.deliver()).toBe(3);
    const mail = await fixture.inbox.mailTo(email, 1, 'Payment');
    expect(mail.subject).toBe('Payment received: $149.00');
    expect(mail.text).toContain(
      '500 credits have been added to the account "Acme". They expire on 31 March 2026 at 12:00 UTC.',
    );
    expect(mail.text).toContain(`https://api.example/account/buy/${orderId}\n`);
    const paid = fixture.inbox.mails
      .filter(({ subject }) => subject.startsWith('Payment'))
      .map(({ to }) => to);
    expect(paid.sort()).toEqual(['b@acme.example', email]);
    expect(JSON.parse(fixture.receiver.received[0]?.body ?? '')).toEqual({
      type: 'payment_received',
      timestamp: new Date(start).toISOString(),
      data: {
        account_id: id,
        order_id: orderId,
        pack: 'builder',
        credits: 500,
        price_cents: 14_900,
        total_cents: 14_900,
        tax_cents: 0,
        expires_at: new Date(start + 30 * day).toISOString(),
      },
    });
  });

  it.each([
    [
      { totalCents: 17_731, taxCents: 2_831 },
      '$177.31',
      'We have received $177.31, including $28.31 tax. 500 credits',
    ],
    [{ totalCents: 7_450 }, '$74.50', 'We have received $74.50. 500 credits'],
    [{ totalCents: 0 }, 'Order received: nothing to pay', 'A discount covers your order. 500 credits'],
    [{ totalCents: null, taxCents: null }, 'Payment received', 'We have received your payment. 500 credits'],
  ])('of %j says what was paid', async (amounts, subject, sentence) => {
    const id = await fixture.account(email);
    await fixture.pay(id, amounts);
    await fixture.deliver();
    const mail = await fixture.inbox.mailTo(email, 1);
    expect(mail.subject).toContain(subject);
    expect(mail.text).toContain(sentence);
  });

  it('notifies no owner who has never signed in to the account', async () => {
    const id = await fixture.account(email);
    for (let n = 0; n < 20; n += 1) {
      await fixture.ledger.factory.member(id, `${n}@stranger.example`, 'owner');
    }
    await fixture.pay(id);
    expect(await fixture.deliver()).toBe(1);
    expect(await fixture.listed(id)).toEqual(['payment_received mail delivered']);
  });

  it('that is rolled back notifies no one', async () => {
    const id = await fixture.hooked();
    const failing = fixture.get(AccountTransactions).run([id], async (locked) => {
      await fixture.notices.paymentReceived(locked, paymentOf(id));
      throw new Error('not granted');
    });
    await expect(failing).rejects.toThrow('not granted');
    expect(await fixture.deliver()).toBe(0);
  });

  it('notifies no one where that is turned off', async () => {
    const id = await fixture.hooked();
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
    expect(fixture.receiver.received).toHaveLength(25);
  });

  it('that fails is retried less and less often, with the same id and the same bytes', async () => {
    const id = await fixture.hooked(1);
    fixture.receiver.answer(503);
    expect(await fixture.deliver()).toBe(1);
    await fixture.setClock(4_999);
    expect(await fixture.deliver()).toBe(0);
    await fixture.setClock(5_000);
    expect(await fixture.deliver()).toBe(1);
    await fixture.setClock(34_999);
    expect(await fixture.deliver()).toBe(0);
    fixture.receiver.answer(204);
    await fixture.setClock(35_000);
    expect(await fixture.deliver()).toBe(1);
    await fixture.setClock(day);
    expect(await fixture.deliver()).toBe(0);
    const { received } = fixture.receiver;
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await fixture.notices.list(id)).toMatchObject([
      { state: 'delivered', attempts: 3, problem: null },
    ]);
  });

  it('is given up after three days', async () => {
    const id = await fixture.hooked(1);
    fixture.receiver.answer(500);
    for (let hour = 0; hour <= 80; hour += 5) {
      await fixture.setClock(hour * 60 * minute);
      await fixture.deliver();
    }
    const [delivery] = await fixture.notices.list(id);
    expect(delivery).toMatchObject({ state: 'given_up', problem: 'The webhook answered 500.' });
    expect(fixture.receiver.received).toHaveLength(delivery?.attempts ?? 0);
  });

  it('of a dead or slow replica is made by another one when the lease ends, and not before', async () => {
    const id = await fixture.hooked(1);
    const [slow, other] = await Promise.all([fixture.replica(), fixture.replica()]);
    const [claimed, ...others] = await slow.get(DeliveriesRepository).claim('webhook', 10);
    expect(others).toEqual([]);
    if (!claimed) throw new Error('nothing to deliver');
    await fixture.setClock(leaseMs - 1);
    expect(await fixture.deliver(other)).toBe(0);
    await fixture.setClock(leaseMs);
    expect(await fixture.deliver(other)).toBe(1);
    expect(fixture.receiver.received).toHaveLength(1);
    const end = { state: 'given_up', nextAttemptAt: null, problem: 'late' } as const;
    await slow.get(DeliveriesRepository).finish(claimed, end);
    const delivered = { state: 'delivered', attempts: 2, problem: null };
    expect(await fixture.notices.list(id)).toMatchObject([delivered]);
  });

  it('uses the webhook as it is at the attempt', async () => {
    const id = await fixture.hooked(1);
    fixture.receiver.answer(404);
    await fixture.deliver();
    fixture.receiver.answer(204);
    await fixture.change(id, { webhook_url: `${fixture.receiver.url}/fixed` });
    await fixture.setClock(minute);
    await fixture.deliver();
    expect(await fixture.listed(id)).toEqual(['payment_received webhook delivered']);
  });

  it('is given up for former owners, a removed webhook and accounts without mail', async () => {
    const id = await fixture.account(email);
    const members = fixture.get(MembersService);
    const other = await fixture.ledger.factory.member(id, 'b@acme.example', 'owner');
    await fixture.signIn(id);
    await fixture.change(id, { webhook_url: fixture.receiver.url });
    await fixture.pay(id);
    await members.remove({ account_id: id, person_id: other });
    await fixture.change(id, { webhook_url: '' });
    await fixture.deliver();
    expect((await fixture.listed(id)).sort()).toEqual([
      'payment_received mail delivered',
      'payment_received mail given_up',
      'payment_received webhook given_up',
    ]);
    await fixture.pay(id);
    await fixture.change(id, { notify_by_email: false });
    await fixture.deliver();
    expect((await fixture.notices.list(id))[0]).toMatchObject({
      problem: 'Email notifications are turned off.',
    });
  });

  it('by mail is retried while the server is busy, with the same Message-ID, but not when it refuses', async () => {
    const id = await fixture.account(email);
    await fixture.pay(id);
    fixture.inbox.refuse(() => ({ code: 451, text: 'Busy' }));
    await fixture.deliver();
    expect(await fixture.notices.list(id)).toMatchObject([
      { state: 'waiting', problem: 'The mail server could not be reached.' },
    ]);
    fixture.inbox.refuse(() => null);
    await fixture.setClock(5_000);
    await fixture.deliver();
    expect((await fixture.inbox.mailTo(email, 1, 'Payment')).headers['message-id']).toBe(
      `<${(await fixture.notices.list(id))[0]?.id}@api.example>`,
    );
    fixture.inbox.refuse(() => ({ code: 550, text: 'No such mailbox' }));
    await fixture.pay(id);
    await fixture.deliver();
    expect((await fixture.notices.list(id))[0]).toMatchObject({
      state: 'given_up',
      attempts: 1,
      problem: 'The mail server refused the mail.',
    });
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

it('one account has two webhooks in progress at once, over all replicas', async () => {
  const id = await fixture.hooked(10, '/slow');
  const release = hang('/slow');
  const replicas = [await fixture.replica(), await fixture.replica(), await fixture.replica()];
  const workers = replicas.map((replica) => replica.get(DeliveryWorker));
  const begun = await Promise.all(workers.map((worker) => worker.look()));
  expect(begun.reduce((sum, each) => sum + each)).toBe(2);
  await until(() => received('/slow') === 2);
  for (const worker of workers) expect(await worker.look()).toBe(0);
  release();
  await Promise.all(workers.map((worker) => worker.idle()));
  expect(await fixture.deliver()).toBe(8);
  expect((await fixture.listed(id)).filter((each) => each.endsWith('delivered'))).toHaveLength(10);
});

it('hanging webhooks of a customer delay no mail and no webhook of others', async () => {
  await fixture.hooked(60, '/slow');
  const release = hang('/slow');
  const worker = fixture.get(DeliveryWorker);
  await worker.look();
  await until(() => received('/slow') === 2);
  const other = await fixture.account(email);
  await fixture.change(other, { webhook_url: `${fixture.receiver.url}/quick` });
  await fixture.pay(other);
  expect(await worker.look()).toBe(2);
  await fixture.inbox.mailTo(email, 1, 'Payment received');
  await until(() => received('/quick') === 1);
  expect(received('/slow')).toBe(2);
  release();
  await worker.idle();
});

it('hanging webhooks of many customers fill their lane, and delay no mail', async () => {
  for (let n = 0; n < 14; n += 1) await fixture.hooked(3, `/slow-${n}`);
  const release = hang('/slow');
  const worker = fixture.get(DeliveryWorker);
  expect(await worker.look()).toBe(24);
  await until(() => received('/slow') === 24);
  await fixture.pay(await fixture.account(email));
  expect(await worker.look()).toBe(1);
  await fixture.inbox.mailTo(email, 1, 'Payment received');
  release();
  await worker.idle();
});

it('attempts of a dead replica count until their lease ends', async () => {
  await fixture.hooked(5, '/lost');
  const release = hang('/lost');
  const dead = (await fixture.replica()).get(DeliveryWorker);
  expect(await dead.look()).toBe(2);
  await fixture.setClock(leaseMs - 1);
  expect(await fixture.get(DeliveryWorker).look()).toBe(0);
  await fixture.setClock(leaseMs);
  expect(await fixture.get(DeliveryWorker).look()).toBe(2);
  release();
  await dead.idle();
  await fixture.get(DeliveryWorker).idle();
});
