import { ApiKeysService } from '../accounts/keys/api-keys.service.js';
import { Customer } from '../ledger/ledger.fixture.js';
import { dayMs as day } from '../durations.js';
import { useNotices } from './notices.fixture.js';
import { KeyLimitsStep } from './notices.step.js';

const fixture = useNotices();
const email = 'ops@acme.example';

/** A key with a limit of 10 credits. */
async function limited(): Promise<Customer> {
  const account_id = await fixture.account(email);
  await fixture.ledger.factory.lot({ accountId: account_id, credits: 1_000 });
  const key_id = await fixture.ledger.factory.key(account_id);
  await fixture.get(ApiKeysService).update({ account_id, key_id, monthly_limit: 10, name: 'Crawler' });
  return new Customer(account_id, key_id);
}

async function check(): Promise<number> {
  const notified = await fixture.get(KeyLimitsStep).notify(100);
  await fixture.deliver();
  return notified;
}

const subjects = () => fixture.inbox.mailsTo(email).map(({ subject }) => subject);
const near = 'An API key has used 8 of 10 credits this month';
const reached = 'An API key has reached its monthly limit';

it('a key is reported once at 80 % of its limit and once at 100 %, and again in the next month', async () => {
  const customer = await limited();
  await fixture.change(customer.accountId, { webhook_url: fixture.receiver.url });
  await customer.spend(fixture.ledger.replica(0), 7);
  expect(await check()).toBe(0);
  await customer.spend(fixture.ledger.replica(0), 1);
  expect([await check(), await check()]).toEqual([1, 0]);
  await customer.spend(fixture.ledger.replica(0), 2);
  expect([await check(), await check()]).toEqual([1, 0]);
  expect(subjects()).toEqual([near, reached]);
  expect(JSON.parse(fixture.receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'key_limit_near',
    data: { key_id: customer.keyId, monthly_limit: 10, spent: 8, resets_at: '2026-04-01T00:00:00.000Z' },
  });
  await fixture.setClock(31 * day);
  await fixture.ledger.factory.lot({ accountId: customer.accountId, credits: 8 });
  await customer.spend(fixture.ledger.replica(0), 8);
  expect([await check(), await check()]).toEqual([1, 0]);
});

it('a key of which a call was refused is at its limit although some credits are left', async () => {
  const customer = await limited();
  await customer.spend(fixture.ledger.replica(0), 8);
  await customer.charge(fixture.ledger.replica(0), 5);
  expect([await check(), await check()]).toEqual([1, 0]);
  expect(subjects()).toEqual([reached]);
});
