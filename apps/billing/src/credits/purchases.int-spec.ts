import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { AdjustmentsService } from './adjustments.service.js';
import { ExpiredLotsStep } from '../ledger/lots/expired-lots.step.js';
import { accountCreditsMax, PurchasesService } from './purchases.service.js';

describe('purchases', () => {
  const ledger = useAuditedLedger();
  const day = 24 * 3_600_000;

  it('expires a lot 30 times 24 hours after its purchase, to the millisecond', async () => {
    const accountId = await ledger.factory.account();
    const bought = new Date('2026-03-01T12:00:00.000Z');
    await ledger.factory.setClock(bought);
    const service = ledger.get(PurchasesService);
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

  it('may be dated in the past, but not in the future, by the clock of the database', async () => {
    const accountId = await ledger.factory.account();
    await ledger.factory.setClock(new Date('2026-03-01T12:00:00.000Z'));
    const service = ledger.get(PurchasesService);
    const request = { account_id: accountId, pack: 'trial' } as const;
    await service.purchase({ ...request, reference: 'old', purchased_at: '2026-02-01T00:00:00Z' });
    expect(await ledger.balance(accountId)).toBe(50);
    const future = { ...request, reference: 'new', purchased_at: '2026-03-01T12:00:00.001Z' };
    await expect(service.purchase(future)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { purchased_at: ['purchased_at must not be in the future'] },
    });
  });

  it('dated by a day that has begun somewhere is of now at the latest, and the same when it is sent again', async () => {
    const account_id = await ledger.factory.account();
    await ledger.factory.setClock(new Date('2026-03-01T10:00:00.000Z'));
    const service = ledger.get(PurchasesService);
    const request = { account_id, pack: 'trial', reference: 'east', purchased_at: '2026-03-02' } as const;
    const { lot } = await service.purchase(request);
    expect(lot.purchased_at).toBe('2026-03-01T10:00:00.000Z');
    await ledger.factory.setClock(new Date('2026-03-03T00:00:00.000Z'));
    expect(await service.purchase(request)).toMatchObject({ created: false, lot: { id: lot.id } });
    const early = { ...request, reference: 'too early', purchased_at: '2026-03-04' };
    await expect(service.purchase(early)).rejects.toThrow('must not be in the future');
  });

  it('adds a purchase of more than 30 days ago as expired: nothing to spend, and the sweep writes it off', async () => {
    const { accountId } = await ledger.customer(0);
    await ledger.factory.setClock(new Date('2026-03-31T12:00:00.000Z'));
    const service = ledger.get(PurchasesService);
    const request = { account_id: accountId, pack: 'scale', reference: 'old' } as const;
    const reply = await service.purchase({ ...request, purchased_at: '2026-03-01T13:00:00+01:00' });
    expect(reply).toMatchObject({ created: true, lot: { credits: 2_500, remaining: 0 } });
    expect(await ledger.balance(accountId)).toBe(0);
    const types = (): Promise<{ type: string }[]> =>
      ledger.query('SELECT type FROM ledger_entries ORDER BY id');
    expect(await types()).toEqual([{ type: 'purchase' }]);
    expect(await ledger.get(ExpiredLotsStep).run(100)).toBe(1);
    expect(await types()).toEqual([{ type: 'purchase' }, { type: 'expiry' }]);
    expect(await service.purchase({ ...request, purchased_at: '2026-03-01T12:00:00Z' })).toMatchObject({
      created: false,
      lot: { id: reply.lot.id },
    });
  });

  it('refuses the reference of a monthly grant', async () => {
    const account_id = await ledger.factory.account();
    const service = ledger.get(PurchasesService);
    const grant = service.purchase({ account_id, pack: 'trial', reference: 'agreement:x:2026-03-01' });
    await expect(grant).rejects.toMatchObject({ details: { reference: [expect.any(String)] } });
    expect(await ledger.query('SELECT id FROM lots')).toEqual([]);
  });

  it('are refused when the unexpired lots of an account, spent or not, would exceed 32 bits', async () => {
    const { accountId } = await ledger.customer(0);
    await ledger.factory.lot({ accountId, credits: accountCreditsMax - 50 });
    const service = ledger.get(PurchasesService);
    const request = { account_id: accountId, pack: 'trial' } as const;
    expect(await service.purchase({ ...request, reference: 'last' })).toMatchObject({ created: true });
    await expect(service.purchase({ ...request, reference: 'more' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await service.purchase({ ...request, reference: 'last' })).toMatchObject({ created: false });
    const goodwill = { account_id: accountId, credits: 1, reason: 'sorry', reference: 'g' };
    await expect(ledger.get(AdjustmentsService).adjust(goodwill)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await ledger.balance(accountId)).toBe(accountCreditsMax);
  });

  it('fail for an unknown account', async () => {
    const account_id = '00000000-0000-4000-8000-000000000000';
    const purchase = ledger.get(PurchasesService).purchase({ account_id, pack: 'trial', reference: 'same' });
    await expect(purchase).rejects.toMatchObject({ code: 'not_found' });
  });
});
