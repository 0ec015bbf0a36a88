import { metricsText } from '#platform';
import { AdjustmentsService } from '../../credits/adjustments.service.js';
import { type Customer, useAuditedLedger } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';
import { OverdueChargesStep } from './overdue-charges.js';

const ledger = useAuditedLedger();
const startAt = Date.now();
const many = 1_600;
/** What one transaction voids at most. */
const bound = 500;
/** Callers give up after 5 s. */
const waitMaxMs = 4_000;

/** With charges of `credits` each that time out now, as a gateway leaves them that is killed, and `left` credits. */
async function overdueCustomer(left: number, overdue = many, credits = 1): Promise<Customer> {
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

/** Counts, from now on, what each transaction voids. */
async function watchVoids(): Promise<void> {
  for (const statement of [
    'CREATE TABLE voids (transaction text, charges integer)',
    `CREATE FUNCTION count_voids() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
       INSERT INTO voids SELECT pg_current_xact_id()::text, count(*) FROM changed WHERE state = 'voided';
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER count_voids AFTER UPDATE ON charges REFERENCING NEW TABLE AS changed
       FOR EACH STATEMENT EXECUTE FUNCTION count_voids()`,
  ]) {
    await ledger.query(statement);
  }
}

afterEach(() =>
  ledger.query(`DROP TRIGGER IF EXISTS count_voids ON charges;
    DROP FUNCTION IF EXISTS count_voids;
    DROP TABLE IF EXISTS voids`),
);

async function voidsByTransaction(): Promise<number[]> {
  const rows = await ledger.query<{ charges: number }>(
    'SELECT sum(charges)::integer AS charges FROM voids GROUP BY transaction',
  );
  return rows.map(({ charges }) => charges);
}

async function expectAllVoidedInBounds(overdue = many): Promise<void> {
  const voids = await voidsByTransaction();
  expect(voids.reduce((sum, charges) => sum + charges, 0)).toBe(overdue);
  expect(Math.max(...voids)).toBeLessThanOrEqual(bound);
}

describe('an account with very many overdue charges', () => {
  it('is charged in time, with all of them returned, and no transaction voids more than a few', async () => {
    const overdue = 5_000;
    const customer = await overdueCustomer(1, overdue);
    await watchVoids();
    const asked = performance.now();
    const { reply } = await customer.charge(ledger.replicas[0], overdue + 1);
    expect(performance.now() - asked).toBeLessThan(waitMaxMs);
    expect(reply).toEqual({ outcome: 'charged', credits_used: overdue + 1, credits_remaining: 0 });
    await expectAllVoidedInBounds(overdue);
  });

  it('does not delay charges of other accounts that come together with its own', async () => {
    const customer = await overdueCustomer(1);
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

/** What this process counts while something runs. */
async function countedBy(work: () => Promise<unknown>): Promise<{ charges: number; credits: number }> {
  const read = async (name: string): Promise<number> => {
    const { text } = await metricsText();
    const total = new RegExp(`^creator_search_ledger_timed_out_${name}_total (\\d+)$`, 'm').exec(text);
    return Number(total?.[1]);
  };
  const before = { charges: await read('charges'), credits: await read('credits') };
  await work();
  return {
    charges: (await read('charges')) - before.charges,
    credits: (await read('credits')) - before.credits,
  };
}

it('charges that were not settled in time are counted once, with their credits, and neither those given up nor after a rollback', async () => {
  const none = { charges: 0, credits: 0 };
  const customer = await overdueCustomer(4, 2, 3);
  const correction = { account_id: customer.accountId, credits: -11, reason: 'ours', reference: 'a' };
  const adjust = () =>
    expect(ledger.get(AdjustmentsService).adjust(correction)).rejects.toMatchObject({ code: 'conflict' });
  const sweep = () => ledger.get(OverdueChargesStep).run(10);
  const giveUp = async (): Promise<unknown> => {
    const { id } = await customer.charge(ledger.replicas[0], 1);
    return customer.settle(ledger.replicas[0], id, 'voided');
  };
  expect(await countedBy(adjust)).toEqual(none);
  expect(await countedBy(sweep)).toEqual({ charges: 2, credits: 6 });
  expect(await countedBy(sweep)).toEqual(none);
  expect(await countedBy(giveUp)).toEqual(none);
});
