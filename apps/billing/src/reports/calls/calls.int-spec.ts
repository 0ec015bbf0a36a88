import { type CallRecord, type ChargeRequest, type ListCallsRequest } from '#contracts';
import { keyHashOf } from '#testing';
import { type CallDetails, type Customer, useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { CallsService } from './calls.service.js';

const start = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number): Date => new Date(start.getTime() + ms);

type Wanted = Omit<ListCallsRequest, 'account_id' | 'limit' | 'cursor'>;

const ledger = useAuditedLedger();
beforeEach(() => ledger.factory.setClock(start));

const calls = (): CallsService => ledger.get(CallsService);

async function callsOf(
  { accountId }: Pick<Customer, 'accountId'>,
  wanted: Wanted = {},
): Promise<CallRecord[]> {
  return (await calls().list({ account_id: accountId, limit: 200, ...wanted })).items;
}

const call = (customer: Customer, credits: number, details?: CallDetails): Promise<ChargeRequest> =>
  customer.call(ledger.replicas[0], credits, details);

it('calls say what each was, what it costs and why, newest first', async () => {
  const customer = await ledger.customer(20);
  const { accountId, keyId } = customer;
  const at = async (seconds: number, credits: number, details?: CallDetails) => {
    await ledger.factory.setClock(later(1_000 * seconds));
    return call(customer, credits, details);
  };
  const timedOut = await at(1, 5);
  const posted = await at(31, 3, { filters: ['q', 'platform'], total: 7, end: 'posted' });
  await at(32, 4, { filters: [], total: 2, end: 'voided' });
  await at(33, 0, { filters: ['country'], total: 0 });
  await at(34, 1, { operation: 'profile', end: 'posted' });
  await at(35, 0, { operation: 'profile' });
  await at(36, 2, { filters: ['category'], total: 1 });
  await at(37, 3, { operation: 'profiles', total: 5, end: 'posted' });
  await at(38, 0, { operation: 'profiles', total: 2 });
  await at(39, 0, { operation: 'profiles', total: 0 });

  const key = { id: keyId, name: 'test', prefix: 'csk_test' };
  const search = { key, operation: 'search', credits_returned: 0, reason: null, repeat_of: null };
  const profile = { ...search, operation: 'profile', filters: null, total: null };
  const shown = await callsOf(customer);
  const given = { filters: [], total: 2, credits: 0, credits_returned: 4, state: 'voided' };
  const late = { filters: null, total: null, credits: 0, credits_returned: 5, state: 'voided' };
  const many = { ...profile, operation: 'profiles', state: 'posted' };
  expect(shown).toMatchObject([
    { ...many, total: 0, credits: 0, reason: 'no_match' },
    { ...many, total: 2, credits: 0, reason: 'unchanged' },
    { ...many, total: 5, credits: 3 },
    { ...search, filters: ['category'], total: 1, credits: 2, state: 'pending' },
    { ...profile, credits: 0, state: 'posted', reason: 'unchanged' },
    { ...profile, credits: 1, state: 'posted' },
    { ...search, filters: ['country'], total: 0, credits: 0, state: 'posted', reason: 'no_match' },
    { ...search, ...given, reason: 'given_up' },
    { ...search, filters: ['q', 'platform'], total: 7, credits: 3, state: 'posted' },
    { ...search, ...late, reason: 'timed_out' },
  ]);
  expect([shown[0], shown.at(-1)].map((one) => one?.at)).toEqual(
    [39, 1].map((seconds) => later(1_000 * seconds).toISOString()),
  );
  expect(shown.at(-1)?.request_id).toBe(timedOut.request_id);
  // The sweep has not recorded the time-out yet.
  expect(await callsOf(customer, { state: 'voided' })).toHaveLength(2);
  expect(shown.at(-2)?.request_id).toBe(posted.request_id);
  expect(shown.reduce((sum, { credits }) => sum + credits, 0)).toBe(20 - (await ledger.balance(accountId)));
});

it('calls are found by day, key, operation, state and request id, and by all of them at once', async () => {
  const customer = await ledger.customer(10);
  const otherKey = await ledger.factory.key(customer.accountId, 2);
  await ledger.factory.setClock(new Date('2026-02-28T23:59:59.999Z'));
  const late = await call(customer, 1, { end: 'posted' });
  await ledger.factory.setClock(new Date('2026-03-01T00:00:00.000Z'));
  const other = { key_id: otherKey, key_hash: keyHashOf(otherKey) };
  const early = await call(customer, 1, { operation: 'profile', end: 'voided', ...other });
  const ids = async (wanted: Wanted): Promise<string[]> =>
    (await callsOf(customer, wanted)).map(({ request_id }) => request_id);

  const both = [early.request_id, late.request_id];
  expect(await ids({ from: '2026-02-28', to: '2026-03-01' })).toEqual(both);
  expect(await ids({ to: '2026-02-28' })).toEqual([late.request_id]);
  expect(await ids({ from: '2026-03-01' })).toEqual([early.request_id]);
  const ofEarly = {
    from: '2026-03-01',
    to: '2026-03-01',
    key_id: otherKey,
    operation: 'profile',
    state: 'voided',
    request_id: early.request_id,
  } as const;
  for (const [name, value] of Object.entries(ofEarly)) {
    if (name !== 'to') expect(await ids({ [name]: value })).toEqual([early.request_id]);
  }
  expect(await ids(ofEarly)).toEqual([early.request_id]);
  expect(await ids({ ...ofEarly, state: 'posted' })).toEqual([]);
});

it('the pages have each call once, calls of one millisecond too, while new ones arrive and others settle', async () => {
  const customer = await ledger.customer(100);
  const made: ChargeRequest[] = [];
  for (let number = 0; number < 5; number += 1) {
    // Three calls at each instant.
    await ledger.factory.setClock(later(Math.floor(number / 3)));
    made.unshift(await call(customer, 1));
  }
  const whole = (await callsOf(customer)).map(({ request_id }) => request_id);
  expect(whole.toSorted()).toEqual(made.map(({ request_id }) => request_id).toSorted());

  const pages: string[][] = [];
  let cursor: string | null | undefined;
  for (const { charge_id } of made.slice(0, 3)) {
    const request = { account_id: customer.accountId, limit: 2, ...(cursor ? { cursor } : {}) };
    const { items, next_cursor } = await calls().list(request);
    pages.push(items.map(({ request_id }) => request_id));
    cursor = next_cursor;
    await customer.settle(ledger.replica(0), charge_id, 'posted');
    await ledger.factory.setClock(later(100 + pages.length));
    await call(customer, 1);
  }
  expect([pages.map((page) => page.length), cursor]).toEqual([[2, 2, 1], null]);
  expect(pages.flat()).toEqual(whole);
});
