import { metricsText } from '#platform';
import { AdjustmentsService } from '../../credits/adjustments.service.js';
import { type Customer, useAuditedLedger } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';
import { OverdueChargesStep } from './overdue-charges.js';

const ledger = useAuditedLedger();
const startAt = Date.now();
/** Callers give up after 5 s. */
const waitMaxMs = 4_000;

/** With charges of `credits` each that time out now, as a gateway leaves them that is killed, and `left` credits. */
async function overdueCustomer(left: number, overdue: number, credits = 1): Promise<Customer> {
  await ledger.factory.setClock(new Date(startAt));
  const customer = await ledger.customer(0);
  const { accountId, keyId } = customer;
  const lotId = await ledger.factory.lot({ accountId, credits: overdue * credits + left });
  await ledger.query(
    `WITH stored AS (
       INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at,
         pending_until)
       SELECT gen_random_uuid(), $1, $2, 'request', 'search', $6, 'pending', 0, ledger_now(),
         ledger_now() + $5 * interval '1 millisecond'
       FROM generate_series(1, $4)
       RETURNING id, account_id, created_at
     )
     INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
     SELECT account_id, $3, 'charge', -$6::integer, id, created_at FROM stored`,
    [accountId, keyId, lotId, overdue, defaultLedgerOptions.pendingTimeoutMs, credits],
  );
  await ledger.factory.setClock(new Date(startAt + defaultLedgerOptions.pendingTimeoutMs));
  return customer;
}

describe('an account with very many overdue charges', () => {
  it('is charged in time, with all of them returned', async () => {
    const overdue = 5_000;
    const customer = await overdueCustomer(1, overdue);
    const asked = performance.now();
    const { reply } = await customer.charge(ledger.replicas[0], overdue + 1);
    expect(performance.now() - asked).toBeLessThan(waitMaxMs);
    expect(reply).toEqual({ outcome: 'charged', credits_used: overdue + 1, credits_remaining: 0 });
  });

  it('does not delay charges of other accounts that come together with its own', async () => {
    const customer = await overdueCustomer(1, 1_600);
    const others = await Promise.all(Array.from({ length: 8 }, () => ledger.customer(5)));
    const answered: string[] = [];
    const [service] = ledger.replicas;
    await Promise.all([
      customer.charge(service, 1).then(() => answered.push('behind')),
      ...others.map((other) => other.charge(service, 1).then(() => answered.push('other'))),
    ]);
    expect(answered).toEqual([...others.map(() => 'other'), 'behind']);
  });
});

/** The charges that this process has counted as timed out, and their credits. */
async function counted(): Promise<number[]> {
  const { text } = await metricsText();
  const total = (of: string) =>
    new RegExp(`^creator_search_ledger_timed_out_${of}_total (\\d+)$`, 'm').exec(text);
  return ['charges', 'credits'].map((of) => Number(total(of)?.[1]));
}

it('charges that were not settled in time are counted once, with their credits, and not after a rollback', async () => {
  const [charges = 0, credits = 0] = await counted();
  const { accountId: account_id } = await overdueCustomer(4, 2, 3);
  const correction = { account_id, credits: -11, reason: 'ours', reference: 'a' };
  await expect(ledger.get(AdjustmentsService).adjust(correction)).rejects.toMatchObject({ code: 'conflict' });
  expect(await counted()).toEqual([charges, credits]);
  for (const voided of [2, 0]) {
    expect(await ledger.get(OverdueChargesStep).run(10)).toBe(voided);
    expect(await counted()).toEqual([charges + 2, credits + 6]);
  }
});
