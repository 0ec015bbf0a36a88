import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { AdjustmentsService } from './adjustments.service.js';

describe('adjustments', () => {
  const ledger = useAuditedLedger();
  const correction = (accountId: string, credits: number, reference: string) => ({
    account_id: accountId,
    credits,
    reason: 'a mistake of ours',
    reference,
  });

  it('goodwill is a lot of its own that lives 30 days', async () => {
    const accountId = await ledger.factory.account();
    const service = ledger.get(AdjustmentsService);
    const reply = await service.adjust(correction(accountId, 7, 'a'));
    expect(reply).toMatchObject({
      created: true,
      adjustment: { credits: 7, lot: { pack: 'adjustment', credits: 7, remaining: 7, price_cents: 0 } },
      credits_remaining: 7,
    });
    expect(await service.adjust(correction(accountId, 7, 'a'))).toMatchObject({
      created: false,
      adjustment: { id: reply.adjustment.id },
    });
    expect(await ledger.balance(accountId)).toBe(7);
  });

  it('a correction takes from the oldest lots and never more than the balance', async () => {
    const { accountId } = await ledger.customer(0);
    const now = Date.now();
    await ledger.factory.lot({ accountId, credits: 10, purchasedAt: new Date(now - 20_000) });
    await ledger.factory.lot({ accountId, credits: 5, purchasedAt: new Date(now - 10_000) });
    const service = ledger.get(AdjustmentsService);
    expect(await service.adjust(correction(accountId, -12, 'a'))).toMatchObject({ credits_remaining: 3 });
    const lots = await ledger.query<{ remaining: number }>(
      'SELECT remaining FROM lots WHERE account_id = $1 ORDER BY purchased_at',
      [accountId],
    );
    expect(lots.map(({ remaining }) => remaining)).toEqual([0, 3]);
    await expect(service.adjust(correction(accountId, -4, 'b'))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('the balance, which is 3') as string,
    });
    expect(await ledger.balance(accountId)).toBe(3);
  });

  it('corrections and charges that together ask for more than the balance never take it below 0', async () => {
    const customer = await ledger.customer(20);
    const service = ledger.get(AdjustmentsService);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 10 }, (_, index) =>
        service.adjust(correction(customer.accountId, -3, `r${index}`)),
      ),
      ...Array.from({ length: 10 }, () => customer.charge(ledger.replicas[1], 3)),
    ]);
    const taken = outcomes.filter(
      (outcome) =>
        outcome.status === 'fulfilled' &&
        !('reply' in outcome.value && outcome.value.reply.outcome !== 'charged'),
    );
    expect(taken).toHaveLength(6);
    expect(await ledger.balance(customer.accountId)).toBe(2);
  });

  it('a known reference with other credits or another reason is a conflict', async () => {
    const accountId = await ledger.factory.account();
    const service = ledger.get(AdjustmentsService);
    const first = correction(accountId, 7, 'a');
    await service.adjust(first);
    for (const other of [
      { ...first, credits: 8 },
      { ...first, reason: 'another' },
    ]) {
      await expect(service.adjust(other)).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(await ledger.balance(accountId)).toBe(7);
  });

  it('an adjustment that is sent 20 times at once counts once, and every reply has the same balance', async () => {
    const { accountId } = await ledger.customer(10);
    const service = ledger.get(AdjustmentsService);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => service.adjust(correction(accountId, -4, 'a'))),
    );
    expect(replies.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(replies.map((reply) => reply.credits_remaining))).toEqual(new Set([6]));
    await service.adjust(correction(accountId, -1, 'b'));
    expect(await service.adjust(correction(accountId, -4, 'a'))).toMatchObject({ credits_remaining: 6 });
  });

  it('an unknown account is not found', async () => {
    const service = ledger.get(AdjustmentsService);
    const unknown = correction('00000000-0000-4000-8000-000000000000', 1, 'a');
    await expect(service.adjust(unknown)).rejects.toMatchObject({ code: 'not_found' });
  });
});
