import { randomUUID } from 'node:crypto';
import { type RefundLotReply } from '#contracts';
import { type ChangeContext } from '#platform/database';
import { dayMs } from '../durations.js';
import { type Customer, times, useAuditedLedger } from '../ledger/ledger.fixture.js';
import { StatementsService } from '../reports/statements/statements.service.js';
import { LotRefundsService } from './lot-refunds.service.js';

const ledger = useAuditedLedger();
const known = { reason: 'ordered by mistake', reference: 'credit note 7' };

function refund(
  account_id: string,
  lot_id: string,
  content: Partial<typeof known> = {},
  by?: ChangeContext,
): Promise<RefundLotReply> {
  return ledger.get(LotRefundsService).refund({ account_id, lot_id, ...known, ...content }, by);
}

/** A customer with a lot of 10 that was bought first, and one of 5. */
async function twoLots(): Promise<{ customer: Customer; accountId: string; older: string; newer: string }> {
  const customer = await ledger.customer(0);
  const { accountId } = customer;
  const purchasedAt = new Date(Date.now() - dayMs);
  const older = await ledger.factory.lot({ accountId, credits: 10, purchasedAt });
  const newer = await ledger.factory.lot({ accountId, credits: 5 });
  return { customer, accountId, older, newer };
}

const taken = (credits_taken_back: number, credits_not_recovered: number) => ({
  ...known,
  credits_taken_back,
  credits_not_recovered,
});

describe('the refund of a lot', () => {
  it('takes what is left of that very lot, once, and is in the statement and in the log of operators', async () => {
    const { customer, accountId, older } = await twoLots();
    await customer.spend(ledger.replicas[0], 4);
    const by = { operator: { id: null, name: 'Eva', requestId: 'request 1' } };
    const replies = await Promise.all(times(10, () => refund(accountId, older, {}, by)));
    expect(replies.filter(({ created }) => created)).toHaveLength(1);
    for (const { lot } of replies) {
      expect(lot).toMatchObject({ credits: 10, remaining: 0, refund: taken(6, 4) });
    }
    expect(await ledger.balance(accountId)).toBe(5);
    const entry = { type: 'adjustment', credits: -6, lot_id: older, ...known, balance_after: 5 };
    const statement = ledger.get(StatementsService).list({ account_id: accountId, limit: 1 });
    expect((await statement).items).toMatchObject([entry]);
    const log = await ledger.query('SELECT action, token_name, subject, before, after FROM admin_log');
    const [before, after] = [
      { remaining: 6, refund: null },
      { remaining: 0, refund: taken(6, 4) },
    ];
    expect(log).toMatchObject([{ action: 'lot.refunded', token_name: 'Eva', subject: older, before, after }]);
  });

  it('is refused with a reason, and then takes nothing', async () => {
    const { accountId, older, newer } = await twoLots();
    await refund(accountId, older);
    const expired = { accountId, credits: 3, purchasedAt: new Date(Date.now() - 30 * dayMs) };
    const late = await ledger.factory.lot(expired);
    const refusals: [Promise<unknown>, string][] = [
      [refund(accountId, newer), 'reference belongs to a refund with other content'],
      [refund(accountId, older, { reason: 'another' }), 'reference belongs to a refund with other content'],
      [
        refund(accountId, older, { reference: 'another' }),
        'refunded already, under the reference credit note 7',
      ],
      [refund(accountId, late, { reference: 'late' }), 'This lot has expired: nothing is left to take back.'],
    ];
    for (const [refused, words] of refusals) {
      await expect(refused).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(words) as string,
      });
    }
    const stranger = await ledger.customer(1);
    const unknown = [refund(accountId, randomUUID(), { reference: 'x' }), refund(stranger.accountId, newer)];
    unknown.push(refund(randomUUID(), newer));
    for (const one of unknown) await expect(one).rejects.toMatchObject({ code: 'not_found' });
    expect(await ledger.balance(accountId)).toBe(5);
  });
});
