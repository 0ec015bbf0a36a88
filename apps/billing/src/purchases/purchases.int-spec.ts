import { useAuditedLedger } from '../ledger/ledger.fixture-spec.js';
import { PurchasesService } from './purchases.service.js';

describe('purchases', () => {
  const ledger = useAuditedLedger();
  const day = 24 * 3_600_000;

  it('adds one lot for one reference that is sent 50 times at once', async () => {
    const accountId = await ledger.factory.account();
    const service = new PurchasesService(ledger.dataSource);
    const request = { account_id: accountId, pack: 'trial', reference: 'order-1' } as const;
    const replies = await Promise.all(Array.from({ length: 50 }, () => service.purchase(request)));
    expect(replies.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(replies.map(({ lot }) => lot.id)).size).toBe(1);
    expect(await ledger.balance(accountId)).toBe(50);
  });

  it('expires a lot 30 times 24 hours after its purchase, to the millisecond', async () => {
    const accountId = await ledger.factory.account();
    const bought = new Date('2026-03-01T12:00:00.000Z');
    await ledger.factory.setClock(bought);
    const service = new PurchasesService(ledger.dataSource);
    const { lot } = await service.purchase({ account_id: accountId, pack: 'builder', reference: 'order-1' });
    expect(lot).toMatchObject({
      remaining: 500,
      purchased_at: '2026-03-01T12:00:00.000Z',
      expires_at: '2026-03-31T12:00:00.000Z',
    });
    await ledger.factory.setClock(new Date(bought.getTime() + 30 * day - 1));
    expect(await ledger.balance(accountId)).toBe(500);
    await ledger.factory.setClock(new Date(bought.getTime() + 30 * day));
    expect(await ledger.balance(accountId)).toBe(0);
    const again = await service.purchase({ account_id: accountId, pack: 'builder', reference: 'order-1' });
    expect(again).toMatchObject({ created: false, lot: { id: lot.id, remaining: 0 } });
  });

  it('takes a migrated purchase of the past and refuses one of the future, by the clock of the database', async () => {
    const accountId = await ledger.factory.account();
    await ledger.factory.setClock(new Date('2026-03-01T12:00:00.000Z'));
    const service = new PurchasesService(ledger.dataSource);
    const request = { account_id: accountId, pack: 'trial' } as const;
    await service.purchase({ ...request, reference: 'old', purchased_at: '2026-02-01T00:00:00Z' });
    expect(await ledger.balance(accountId)).toBe(50);
    const future = { ...request, reference: 'new', purchased_at: '2026-03-01T12:00:00.001Z' };
    await expect(service.purchase(future)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { purchased_at: ['purchased_at must not lie in the future'] },
    });
  });

  it('says what differs when a reference comes back with other content', async () => {
    const accountId = await ledger.factory.account();
    const service = new PurchasesService(ledger.dataSource);
    await service.purchase({ account_id: accountId, pack: 'trial', reference: 'order-1' });
    const other = service.purchase({ account_id: accountId, pack: 'scale', reference: 'order-1' });
    await expect(other).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('pack, credits, price_cents') as string,
    });
    expect(await ledger.balance(accountId)).toBe(50);
  });
});
