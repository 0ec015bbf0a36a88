import { type Customer, times, useAuditedLedger } from '../ledger.fixture.js';

const ledger = useAuditedLedger();

/** How calls of 2 credits were settled whose answers their client left, all at once, through two replicas. */
async function abandon(customer: Customer, calls: number): Promise<string[]> {
  const ids = await Promise.all(
    times(calls, async (number) => (await customer.charge(ledger.replica(number), 2)).id),
  );
  const settled = await Promise.all(
    ids.map((id, number) => customer.settle(ledger.replica(number), id, 'abandoned')),
  );
  // A repeated message gets the stored outcome, and is not counted.
  const again = ids.map((id, number) => customer.settle(ledger.replica(number + 1), id, 'abandoned'));
  expect(await Promise.all(again)).toEqual(settled);
  return settled.map(String).sort();
}

it('a call for many profiles that is abandoned is charged: a part of its answer is worth as much as the whole', async () => {
  const customer = await ledger.customer(100);
  const request = { ...customer.request(73), operation: 'profiles', total: 73 } as const;
  await ledger.replica(0).charge(request);
  expect(await customer.settle(ledger.replica(0), request.charge_id, 'abandoned')).toBe('posted');
  expect(await abandon(customer, 5)).toEqual(Array<string>(5).fill('voided'));
  expect(await ledger.balance(customer.accountId)).toBe(27);
});

it('calls that are abandoned through two gateways at once: exactly as many are free as the account may leave', async () => {
  const [customer, other] = [await ledger.customer(1_000), await ledger.customer(100)];
  await Promise.all(times(205, (number) => customer.spend(ledger.replica(number), 1)));
  const settled = await Promise.all([abandon(customer, 30), abandon(other, 3)]);
  expect(settled).toEqual([
    [...Array<string>(23).fill('posted'), ...Array<string>(7).fill('voided')],
    Array<string>(3).fill('voided'),
  ]);
  expect(await ledger.balance(customer.accountId)).toBe(1_000 - 205 - 23 * 2);
  expect(await ledger.balance(other.accountId)).toBe(100);
  const marked = await ledger.query(
    'SELECT state, void_reason, count(*)::integer AS calls FROM charges WHERE is_abandoned AND account_id = $1 GROUP BY 1, 2 ORDER BY 1',
    [customer.accountId],
  );
  expect(marked).toEqual([
    { state: 'posted', void_reason: null, calls: 23 },
    { state: 'voided', void_reason: 'given_up', calls: 7 },
  ]);
});
