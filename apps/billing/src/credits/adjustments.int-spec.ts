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

  it('goodwill by the role support is limited for each token and day, over all accounts, however many come at once', async () => {
    await ledger.factory.setClock(new Date('2026-03-01T12:00:00Z'));
    const accounts = await Promise.all(Array.from({ length: 7 }, () => ledger.factory.account()));
    const service = ledger.get(AdjustmentsService);
    const by = async (role: string) => {
      const [token] = await ledger.query<{ id: string }>(
        `INSERT INTO admin_tokens (id, name, role, hash, prefix, created_at)
         VALUES (gen_random_uuid(), gen_random_uuid(), $1, encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 'csa_', ledger_now())
         RETURNING id`,
        [role],
      );
      return { operator: { id: token?.id ?? '', name: role, requestId: 'a request' } };
    };
    const give = (credits: number, to: number, who: Awaited<ReturnType<typeof by>>, reference = 'a') =>
      service.adjust(correction(accounts[to] ?? '', credits, reference), who);
    const eva = await by('support');
    await expect(give(101, 0, eva)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('one with the role all may give more') as string,
    });
    const outcomes = await Promise.allSettled(accounts.map((_, to) => give(100, to, eva)));
    const given = outcomes.flatMap(({ status }, to) => (status === 'fulfilled' ? [to] : []));
    expect(given).toHaveLength(5);
    expect(await give(100, given[0] ?? 0, eva)).toMatchObject({ created: false });
    await expect(give(1, 0, eva, 'b')).rejects.toThrow('of which 0 are left');
    expect(await give(-5, given[0] ?? 0, eva, 'c')).toMatchObject({ created: true });
    expect(await give(100, 0, await by('support'), 'd')).toMatchObject({ created: true });
    expect(await give(5_000, 0, await by('all'), 'e')).toMatchObject({ created: true });
    await ledger.factory.setClock(new Date('2026-03-02T12:00:00Z'));
    expect(await give(100, 0, eva, 'f')).toMatchObject({ created: true });
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
