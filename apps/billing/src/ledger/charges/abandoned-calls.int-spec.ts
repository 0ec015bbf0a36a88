import { type Customer, times, useAuditedLedger } from '../ledger.fixture.js';

const ledger = useAuditedLedger();
const midnight = Date.UTC(2026, 0, 10);
const minuteMs = 60_000;

async function pay(customer: Customer, calls: number): Promise<void> {
  await Promise.all(
    times(calls, async (number) => {
      const { id } = await customer.charge(ledger.replica(number), 1);
      await customer.settle(ledger.replica(number), id, 'posted');
    }),
  );
}

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

it('calls that are abandoned through two gateways at once: exactly as many are free as the account may leave', async () => {
  const [customer, other] = [await ledger.customer(1_000), await ledger.customer(100)];
  await pay(customer, 205);
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

it('the paid calls of the day are counted on from where they were counted last', async () => {
  await ledger.factory.setClock(new Date(midnight - minuteMs));
  const customer = await ledger.customer(5_000);
  // Not of the day.
  await pay(customer, 99);
  let [paid, free, paidBefore] = [0, 0, 0];
  for (let round = 0; round < 12; round++) {
    await ledger.factory.setClock(new Date(midnight + round * 2 * minuteMs));
    paidBefore = paid;
    await pay(customer, 30);
    paid += 30;
    for (let call = 0; call < 3; call++) {
      const isFree = free < 5 + Math.floor(paid / 100);
      expect(await abandon(customer, 1)).toEqual([isFree ? 'voided' : 'posted']);
      if (isFree) free += 1;
      else paid += 1;
    }
  }
  const [day] = await ledger.query<{ free: number; paid: number }>(
    'SELECT free, paid FROM abandoned_calls WHERE account_id = $1',
    [customer.accountId],
  );
  // Those of the last minute are not counted for good.
  expect(day).toEqual({ free, paid: paidBefore });
});
