import { until } from '@app/testing';
import { DeliveryWorker } from './delivery-worker.js';
import { leaseMs } from './deliveries.repository.js';
import { useNotices } from './notices.fixture.js';

const fixture = useNotices();
const email = 'ops@acme.example';

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
