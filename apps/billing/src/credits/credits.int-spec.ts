import { randomUUID } from 'node:crypto';
import { type AdjustmentReply, type AdjustmentRequest, type PurchaseRequest } from '#contracts';
import { type ChangeContext } from '#platform/database';
import { v7 as uuidv7 } from 'uuid';
import { times, useAuditedLedger } from '../ledger/ledger.fixture.js';
import { AdjustmentsService } from './adjustments.service.js';
import { AgreementsService } from './agreements.service.js';
import { DueGrantsStep } from './due-grants.step.js';
import { accountCreditsMax } from '../ledger/lots/lots.repository.js';
import { PurchasesService } from './purchases.service.js';
import { grantReference, lotReference, returnReference } from './references.js';

const ledger = useAuditedLedger();
const conflict = { code: 'conflict' };
const at = (time: string): Promise<void> => ledger.factory.setClock(new Date(`${time}Z`));
const newAccount = (): Promise<string> => ledger.factory.account();

function adjust(
  account_id: string,
  credits: number,
  change: Partial<AdjustmentRequest> = {},
  by?: ChangeContext,
): Promise<AdjustmentReply> {
  const request = { account_id, credits, reason: 'a mistake of ours', reference: 'a', ...change };
  return ledger.get(AdjustmentsService).adjust(request, by);
}

const purchase = (account_id: string, reference: string, change: Partial<PurchaseRequest> = {}) =>
  ledger.get(PurchasesService).purchase({ account_id, pack: 'trial', reference, ...change });

describe('a purchase', () => {
  it('expires 30 times 24 hours later, to the millisecond, and counts once', async () => {
    const accountId = await newAccount();
    await at('2026-03-01T12:00:00.000');
    const { lot } = await purchase(accountId, 'order-1', { pack: 'builder' });
    expect(lot).toMatchObject({ remaining: 500, expires_at: '2026-03-31T12:00:00.000Z' });
    await at('2026-03-31T11:59:59.999');
    expect(await ledger.balance(accountId)).toBe(500);
    await at('2026-03-31T12:00:00.000');
    expect(await ledger.balance(accountId)).toBe(0);
    const again = await purchase(accountId, 'order-1', { pack: 'builder' });
    expect(again).toMatchObject({ created: false, lot: { id: lot.id, remaining: 0 } });
    await expect(purchase(accountId, 'order-1')).rejects.toMatchObject(conflict);
    await expect(purchase(randomUUID(), 'same')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('may be dated in the past; by a day that has begun somewhere it is of now at the latest; a later one is refused', async () => {
    const accountId = await newAccount();
    await at('2026-03-01T10:00:00');
    await purchase(accountId, 'old', { purchased_at: '2026-02-01T00:00:00Z' });
    expect(await ledger.balance(accountId)).toBe(50);
    const { lot } = await purchase(accountId, 'east', { purchased_at: '2026-03-02' });
    expect(lot.purchased_at).toBe('2026-03-01T10:00:00.000Z');
    for (const purchased_at of ['2026-03-01T10:00:00.001Z', '2026-03-03']) {
      await expect(purchase(accountId, 'new', { purchased_at })).rejects.toMatchObject({
        details: { purchased_at: ['purchased_at must not be in the future'] },
      });
    }
    await at('2026-03-03T00:00:00');
    const again = await purchase(accountId, 'east', { purchased_at: '2026-03-02' });
    expect(again).toMatchObject({ created: false, lot: { id: lot.id } });
  });

  it('is refused when the unexpired lots of an account, spent or not, would exceed 32 bits, as goodwill is', async () => {
    const accountId = await newAccount();
    await ledger.factory.lot({ accountId, credits: accountCreditsMax - 50 });
    expect(await purchase(accountId, 'last')).toMatchObject({ created: true });
    await expect(purchase(accountId, 'more')).rejects.toMatchObject(conflict);
    expect(await purchase(accountId, 'last')).toMatchObject({ created: false });
    await expect(adjust(accountId, 1)).rejects.toMatchObject(conflict);
    expect(await ledger.balance(accountId)).toBe(accountCreditsMax);
  });
});

describe('references', () => {
  const id = uuidv7();

  it('of orders and grants are reserved: others would stand in for what is paid', async () => {
    const accountId = await newAccount();
    const refused = { details: { reference: [expect.any(String)] } };
    const grant = grantReference('a', new Date('2024-02-29T10:00:00Z'));
    expect(grant).toBe('agreement:a:2024-02-29');
    for (const reference of [lotReference(id), returnReference(id, 3), grant]) {
      await expect(purchase(accountId, reference)).rejects.toMatchObject(refused);
      if (reference === grant) continue;
      await expect(adjust(accountId, 1, { reference })).rejects.toMatchObject(refused);
    }
    expect(await ledger.query('SELECT FROM lots')).toEqual([]);
  });

  it('of operators may be anything else', async () => {
    const accountId = await newAccount();
    for (const reference of ['stripe:cs_test_1', `stripe:${id} again`, `refund:${id}`, `my stripe:${id}`]) {
      expect(await purchase(accountId, reference)).toMatchObject({ created: true });
    }
  });
});

describe('an adjustment', () => {
  it('of goodwill is a lot of its own', async () => {
    const accountId = await newAccount();
    const { created, adjustment, credits_remaining } = await adjust(accountId, 7);
    expect([created, credits_remaining]).toEqual([true, 7]);
    expect(adjustment.lot).toMatchObject({ pack: 'adjustment', credits: 7, remaining: 7, price_cents: 0 });
    await expect(adjust(accountId, 8)).rejects.toMatchObject(conflict);
    await expect(adjust(accountId, 7, { reason: 'another' })).rejects.toMatchObject(conflict);
    await expect(adjust(randomUUID(), 1)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of goodwill by the role support is limited for each token and day, over all accounts, however many come at once', async () => {
    await at('2026-03-01T12:00:00');
    const accounts = await Promise.all(times(7, newAccount));
    const by = async (role: string): Promise<ChangeContext> => {
      const [token] = await ledger.query<{ id: string }>(
        `INSERT INTO admin_tokens (id, name, role, hash, prefix, created_at)
         VALUES (gen_random_uuid(), gen_random_uuid(), $1, encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 'csa_', ledger_now())
         RETURNING id`,
        [role],
      );
      return { operator: { id: token?.id ?? '', name: role, requestId: 'a request' } };
    };
    const give = (credits: number, to: number, who: ChangeContext, reference = 'a') =>
      adjust(accounts[to] ?? '', credits, { reference }, who);
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
    const allowed = [give(-5, given[0] ?? 0, eva, 'c'), give(100, 0, await by('support'), 'd')];
    allowed.push(give(5_000, 0, await by('all'), 'e'));
    for (const reply of await Promise.all(allowed)) expect(reply).toMatchObject({ created: true });
    await at('2026-03-02T12:00:00');
    expect(await give(100, 0, eva, 'f')).toMatchObject({ created: true });
  });
});

describe('an agreement', () => {
  const terms = { credits: 10_000, price_cents: 180_000 };
  const agreements = () => ledger.get(AgreementsService);
  const start = (account_id: string, change: object = {}) =>
    agreements().start({ account_id, ...terms, ...change });
  const sweep = (max = 100) => ledger.get(DueGrantsStep).run(max);
  beforeEach(() => at('2026-01-15T09:00:00'));

  async function grantsOf(accountId: string): Promise<string> {
    const sql = 'SELECT reference FROM lots WHERE account_id = $1 ORDER BY reference';
    const rows = await ledger.query<{ reference: string }>(sql, [accountId]);
    return rows.map(({ reference }) => reference.slice(-10)).join(' ');
  }

  it('grants at once when it starts now, and an account has one at a time', async () => {
    const accountId = await newAccount();
    const started = await Promise.allSettled(times(5, () => start(accountId)));
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await ledger.balance(accountId)).toBe(10_000);
    const cheap = start(await newAccount(), { price_cents: 179_999 });
    await expect(cheap).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('grants each due date once, also those while billing was down; a 31st falls on the last day of a shorter month', async () => {
    const accountId = await newAccount();
    await at('2026-01-31T09:00:00');
    expect(await start(accountId)).toMatchObject({ next_due_at: '2026-02-28T09:00:00.000Z' });
    await at('2026-04-30T09:00:00');
    const other = await ledger.anotherReplica();
    const granted = await Promise.all([sweep(), other.get(DueGrantsStep).run(100), sweep()]);
    expect(granted.reduce((sum, count) => sum + count)).toBe(3);
    expect(await grantsOf(accountId)).toBe('2026-01-31 2026-02-28 2026-03-31 2026-04-30');
    const late = `SELECT FROM lots WHERE reference LIKE '%02-28' AND purchased_at = '2026-04-30T09:00:00Z'`;
    expect(await ledger.query(late)).toHaveLength(1);
  });

  it('begins at most 31 days ago, or waits for a start in the future', async () => {
    const [past, future] = [await newAccount(), await newAccount()];
    await at('2026-02-10T09:00:00');
    await expect(start(past, { starts_at: '2026-01-10T08:59:59.999Z' })).rejects.toMatchObject({
      details: { starts_at: [expect.any(String)] },
    });
    await start(past, { starts_at: '2026-01-10T10:00:00+01:00' });
    expect(await grantsOf(past)).toBe('2026-01-10 2026-02-10');
    await start(future, { starts_at: '2026-02-20T00:00:00Z' });
    await at('2026-02-19T23:59:59.999');
    expect(await sweep()).toBe(0);
    await at('2026-02-20T00:00:00');
    expect(await sweep()).toBe(1);
  });

  it('that ends still grants a due date that has passed, keeps what was granted, and gives way to another', async () => {
    const accountId = await newAccount();
    await start(accountId);
    await at('2026-02-15T09:00:00');
    expect(await agreements().show({ account_id: accountId })).toMatchObject({
      price_cents: 180_000,
      ended_at: null,
    });
    await agreements().end({ account_id: accountId });
    await expect(agreements().show({ account_id: accountId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await grantsOf(accountId)).toBe('2026-01-15 2026-02-15');
    await expect(agreements().end({ account_id: accountId })).rejects.toMatchObject({ code: 'not_found' });
    await start(accountId, { credits: 20_000, price_cents: 360_000 });
    expect(await ledger.balance(accountId)).toBe(30_000);
    await at('2026-03-15T09:00:00');
    expect(await sweep()).toBe(1);
  });
});
