import { until } from '@app/testing';
import { v7 as uuidv7 } from 'uuid';
import { AccountTransactions } from '../database/account-transactions.js';
import { day, start, useNotices } from './notices.fixture.js';
import { DeliveryWorker } from './delivery-worker.js';
import { leaseMs } from './deliveries.repository.js';

const fixture = useNotices();
const email = 'ops@acme.example';

async function pay(accountId: string): Promise<void> {
  const terms = {
    pack: 'builder',
    credits: 500,
    priceCents: 14_900,
    totalCents: 14_900,
    taxCents: 0,
  } as const;
  const payment = { accountId, orderId: uuidv7(), ...terms, expiresAt: new Date(start + 30 * day) };
  await fixture
    .get(AccountTransactions)
    .run([accountId], (locked) => fixture.notices.paymentReceived(locked, payment));
}

/** An account whose webhook has the path `/hook/<name>`, and gets so many notices. */
async function hooked(name: string, notices: number): Promise<string> {
  const id = await fixture.account();
  await fixture.change(id, { webhook_url: `${fixture.receiver.url}/${name}`, notify_by_email: false });
  for (let n = 0; n < notices; n += 1) await pay(id);
  return id;
}

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

it('of one account two webhooks are under way at once, over all replicas', async () => {
  const id = await hooked('slow', 10);
  const release = hang('/slow');
  const workers = [await fixture.replica(), await fixture.replica(), await fixture.replica()].map((replica) =>
    replica.get(DeliveryWorker),
  );
  const begun = await Promise.all(workers.map((worker) => worker.look()));
  expect(begun.reduce((sum, each) => sum + each)).toBe(2);
  await until(() => received('/slow') === 2);
  for (const worker of workers) expect(await worker.look()).toBe(0);
  release();
  await Promise.all(workers.map((worker) => worker.idle()));
  expect(await fixture.deliver()).toBe(8);
  expect((await fixture.listed(id)).filter((each) => each.endsWith('delivered'))).toHaveLength(10);
});

it('webhooks of a customer that hang delay no mail and no webhook of others', async () => {
  await hooked('slow', 60);
  const release = hang('/slow');
  const worker = fixture.get(DeliveryWorker);
  await worker.look();
  await until(() => received('/slow') === 2);
  const other = await fixture.account(email);
  await fixture.change(other, { webhook_url: `${fixture.receiver.url}/quick` });
  await pay(other);
  expect(await worker.look()).toBe(2);
  await fixture.inbox.mailTo(email, 1, 'Payment received');
  await until(() => received('/quick') === 1);
  expect(received('/slow')).toBe(2);
  release();
  await worker.idle();
});

it('webhooks of many customers that hang fill their lane, and delay no mail', async () => {
  for (let n = 0; n < 14; n += 1) await hooked(`slow-${n}`, 3);
  const release = hang('/slow');
  const worker = fixture.get(DeliveryWorker);
  expect(await worker.look()).toBe(24);
  await until(() => received('/slow') === 24);
  await pay(await fixture.account(email));
  expect(await worker.look()).toBe(1);
  await fixture.inbox.mailTo(email, 1, 'Payment received');
  release();
  await worker.idle();
});

it('attempts of a replica that died count until their lease ends', async () => {
  await hooked('lost', 5);
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
