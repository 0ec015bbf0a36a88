import { randomUUID } from 'node:crypto';
import { type RefundLotReply, type ServiceError } from '#contracts';
import { type Customer, times, useAuditedLedger } from '../ledger/ledger.fixture.js';
import { ExpiredLotsStep } from '../ledger/lots/expired-lots.step.js';
import { RecoverableCreditsStep } from '../orders/recoverable-credits.step.js';
import { StatementsService } from '../reports/statements/statements.service.js';
import { AdjustmentsService } from './adjustments.service.js';
import { LotRefundsService } from './lot-refunds.service.js';

const ledger = useAuditedLedger();
const dayMs = 24 * 3_600_000;
const known = { reason: 'ordered by mistake', reference: 'credit note 7' };

function refund(
  { accountId: account_id }: Pick<Customer, 'accountId'>,
  lot_id: string,
  content: Partial<typeof known> = {},
): Promise<RefundLotReply> {
  return ledger.get(LotRefundsService).refund({ account_id, lot_id, ...known, ...content });
}

/** A customer with a lot of 10 that was bought first, and one of 5. */
async function twoLots(): Promise<{ customer: Customer; older: string; newer: string }> {
  const customer = await ledger.customer(0);
  const { accountId } = customer;
  const older = await ledger.factory.lot({
    accountId,
    credits: 10,
    purchasedAt: new Date(Date.now() - dayMs),
  });
  const newer = await ledger.factory.lot({ accountId, credits: 5 });
  return { customer, older, newer };
}

async function refusal(refused: Promise<unknown>): Promise<Pick<ServiceError, 'code' | 'message'>> {
  const { code, message } = await refused.then(
    () => ({ code: 'none', message: 'it was not refused' }),
    (error: unknown) => error as ServiceError,
  );
  return { code, message } as Pick<ServiceError, 'code' | 'message'>;
}

describe('the refund of a lot', () => {
  it('takes what is left of that very lot, and shows what was spent of it', async () => {
    const { customer, older, newer } = await twoLots();
    const { id } = await customer.charge(ledger.replicas[0], 4);
    await customer.settle(ledger.replicas[0], id, 'posted');
    const { created, lot } = await refund(customer, older);
    expect(created).toBe(true);
    expect(lot).toMatchObject({
      id: older,
      credits: 10,
      remaining: 0,
      refund: { ...known, credits_taken_back: 6, credits_not_recovered: 4 },
    });
    expect(await ledger.balance(customer.accountId)).toBe(5);
    expect((await refund(customer, newer, { reference: 'another' })).lot.refund).toMatchObject({
      credits_taken_back: 5,
      credits_not_recovered: 0,
    });
    expect(await ledger.balance(customer.accountId)).toBe(0);
  });

  it('is in the statement and the ledger, with its reason and reference', async () => {
    const { customer, newer } = await twoLots();
    await refund(customer, newer);
    const page = { account_id: customer.accountId, limit: 1 };
    const entry = { type: 'adjustment', credits: -5, lot_id: newer, ...known };
    const statements = ledger.get(StatementsService);
    expect((await statements.list(page)).items).toMatchObject([entry]);
    expect((await statements.listWithBalances(page)).items).toMatchObject([{ ...entry, balance_after: 10 }]);
  });

  it('is in the log of operators once, with the lot before and after', async () => {
    const { customer, newer } = await twoLots();
    const request = { account_id: customer.accountId, lot_id: newer, ...known };
    const operator = { id: null, name: 'Eva', requestId: 'request 1' };
    for (let time = 0; time < 2; time++) await ledger.get(LotRefundsService).refund(request, { operator });
    expect(
      await ledger.query('SELECT action, token_name, account_id, subject, before, after FROM admin_log'),
    ).toMatchObject([
      {
        action: 'lot.refunded',
        token_name: 'Eva',
        account_id: customer.accountId,
        subject: newer,
        before: { remaining: 5, refund: null },
        after: { remaining: 0, refund: { ...known, credits_taken_back: 5 } },
      },
    ]);
  });

  it('counts once, however often it is sent at once', async () => {
    const { customer, older } = await twoLots();
    const replies = await Promise.all(times(10, () => refund(customer, older)));
    expect(replies.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(replies.map(({ lot }) => JSON.stringify(lot))).size).toBe(1);
    expect(await ledger.balance(customer.accountId)).toBe(5);
  });

  it('is refused with a reason, and then takes nothing', async () => {
    const { customer, older, newer } = await twoLots();
    const { accountId } = customer;
    await refund(customer, older);
    expect(await refusal(refund(customer, newer))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('reference belongs to a refund with other content') as string,
    });
    expect(await refusal(refund(customer, older, { reason: 'another' }))).toMatchObject({ code: 'conflict' });
    expect(await refusal(refund(customer, older, { reference: 'another' }))).toEqual({
      code: 'conflict',
      message: 'This lot was refunded already, under the reference credit note 7.',
    });
    const purchasedAt = new Date(Date.now() - 30 * dayMs);
    const expired = await ledger.factory.lot({ accountId, credits: 3, purchasedAt });
    expect(await refusal(refund(customer, expired, { reference: 'late' }))).toEqual({
      code: 'conflict',
      message: 'This lot has expired: nothing is left to take back.',
    });
    const stranger = await ledger.customer(1);
    const unknown = [refund(customer, randomUUID(), { reference: 'x' }), refund(stranger, newer)];
    unknown.push(refund({ accountId: randomUUID() }, newer));
    for (const one of unknown) expect(await refusal(one)).toMatchObject({ code: 'not_found' });
    expect(await ledger.balance(accountId)).toBe(5);
  });

  it('does not share its references with adjustments', async () => {
    const { customer, newer } = await twoLots();
    const request = { account_id: customer.accountId, credits: -5, ...known };
    await ledger.get(AdjustmentsService).adjust(request);
    await refund(customer, newer);
    expect(await ledger.balance(customer.accountId)).toBe(5);
    expect(await ledger.get(AdjustmentsService).adjust(request)).toMatchObject({ created: false });
  });

  it('of goodwill leaves one lot in the account', async () => {
    const { accountId } = await ledger.customer(0);
    const request = { account_id: accountId, credits: 7, reason: 'sorry', reference: 'goodwill' };
    const { adjustment } = await ledger.get(AdjustmentsService).adjust(request);
    const { lot } = await refund({ accountId }, adjustment.lot?.id ?? '');
    expect(lot).toMatchObject({ remaining: 0, reference: 'goodwill', refund: { credits_taken_back: 7 } });
  });
});

describe('credits of calls in progress', () => {
  it('go too, once their call is voided', async () => {
    const { customer, older } = await twoLots();
    const [service] = ledger.replicas;
    const given = await customer.charge(service, 4);
    const delivered = await customer.charge(service, 1);
    const { lot } = await refund(customer, older);
    expect(lot.refund).toMatchObject({ credits_taken_back: 5, credits_not_recovered: 5 });
    await customer.settle(service, given.id, 'voided');
    await customer.settle(service, delivered.id, 'posted');
    const step = ledger.get(RecoverableCreditsStep);
    expect([await step.run(10), await step.run(10)]).toEqual([1, 0]);
    expect(await ledger.balance(customer.accountId)).toBe(5);
    expect((await refund(customer, older)).lot.refund).toMatchObject({
      credits_taken_back: 9,
      credits_not_recovered: 1,
    });
    const page = { account_id: customer.accountId, limit: 1 };
    const { items } = await ledger.get(StatementsService).list(page);
    expect(items).toMatchObject([{ type: 'adjustment', credits: -4, lot_id: older, ...known }]);
  });

  it('expire with the lot when their call is voided later', async () => {
    const start = Date.UTC(2026, 2, 1);
    await ledger.factory.setClock(new Date(start));
    const customer = await ledger.customer(0);
    const { accountId } = customer;
    const lotId = await ledger.factory.lot({ accountId, credits: 3, purchasedAt: new Date(start) });
    await ledger.factory.setClock(new Date(start + 30 * dayMs - 1_000));
    const { id } = await customer.charge(ledger.replicas[0], 2);
    await refund(customer, lotId);
    await ledger.factory.setClock(new Date(start + 30 * dayMs));
    await customer.settle(ledger.replicas[0], id, 'voided');
    expect(await ledger.get(RecoverableCreditsStep).run(10)).toBe(0);
    await ledger.get(ExpiredLotsStep).run(10);
    expect((await refund(customer, lotId)).lot).toMatchObject({
      remaining: 0,
      refund: { credits_taken_back: 1, credits_not_recovered: 2 },
    });
  });

  it('race with the refund: what it took and what was charged never exceed the lot', async () => {
    for (const round of times(5, (number) => number)) {
      const customer = await ledger.customer(0);
      const { accountId } = customer;
      const lotId = await ledger.factory.lot({ accountId, credits: 10 });
      const charges = times(8, () => customer.charge(ledger.replica(round), 2));
      const [{ lot }, ...replies] = await Promise.all([refund(customer, lotId), ...charges]);
      const charged = replies.filter(({ reply }) => reply.outcome === 'charged');
      expect(lot.refund?.credits_taken_back).toBe(10 - 2 * charged.length);
      expect(await ledger.balance(accountId)).toBe(0);
    }
  });
});
