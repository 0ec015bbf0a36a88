import { eventually } from '@app/testing';
import { admin, daysFromNow, type Lot } from '../support/admin-api.js';
import { adjust, createAccount, createFundedAccount, createKey, purchase } from '../support/accounts.js';
import { clientOf } from '../support/client-of.js';
import { api, type PublicReply } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const { slug } = creator;

beforeAll(() => catalog.importVisible([creator]));
afterAll(() => catalog.remove());

async function customer(): Promise<{ id: string; key: string }> {
  const { id } = await createAccount();
  const { key } = await createKey(id);
  return { id, key };
}

async function spend(key: string, credits: number): Promise<void> {
  const client = clientOf(key);
  const profiles = await Promise.all(Array.from({ length: credits }, () => client.creator(slug)));
  expect(profiles.map((profile) => profile.credits.used)).toEqual(Array<number>(credits).fill(1));
}

const remainingOf = (lots: readonly Lot[]) => new Map(lots.map(({ id, remaining }) => [id, remaining]));

describe('the packs', () => {
  it.each([
    ['trial', 50, 1_900],
    ['builder', 500, 14_900],
    ['scale', 2_500, 59_900],
  ])('%s: %i credits for %i cents', async (pack, credits, price) => {
    const { id } = await createAccount();
    const lot = await purchase(id, { pack });
    expect(lot).toMatchObject({ pack, credits, remaining: credits, price_cents: price });
    expect(await admin.balance(id)).toBe(credits);
  });

  it('enterprise: 10,000 credits or more from 18 cents each', async () => {
    const { id } = await createAccount();
    const lot = await purchase(id, { pack: 'enterprise', credits: 10_000, price_cents: 180_000 });
    expect(lot).toMatchObject({
      pack: 'enterprise',
      credits: 10_000,
      remaining: 10_000,
      price_cents: 180_000,
    });
  });

  it('are a balance tied to the account: several add up', async () => {
    const { id } = await createAccount();
    await purchase(id, { pack: 'trial' });
    await purchase(id, { pack: 'builder' });
    expect(await admin.balance(id)).toBe(550);
  });
});

describe('credits expire 30 days after the purchase', () => {
  it('a lot expires exactly 30 x 24 hours after its purchase', async () => {
    const { id } = await createAccount();
    const lot = await purchase(id, { pack: 'trial' });
    expect(Date.parse(lot.expires_at) - Date.parse(lot.purchased_at)).toBe(30 * 86_400_000);
  });

  it('credits of a purchase 30 days ago are gone: 402', async () => {
    const { id, key } = await customer();
    await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-30) });
    expect(await admin.balance(id)).toBe(0);
    expect(await api.profile(slug, key)).toMatchObject({
      status: 402,
      body: { credits_needed: 1, credits_remaining: 0 },
    });
  });

  it('credits are good until that instant, and not after', async () => {
    const { id, key } = await customer();
    await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-30, 2_500) });
    await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-29) });
    expect((await api.profile(slug, key)).body.credits_remaining).toBe(99);
    await eventually(async () => {
      expect((await api.profile(slug, key)).body.credits_remaining).toBeLessThan(50);
    }, 4_000);
    const expired = (await admin.ledger(id)).filter(({ type }) => type === 'expiry');
    const [oldLot, newLot] = (await admin.account(id)).lots;
    expect(oldLot?.remaining === 0 || expired.length === 0).toBe(true);
    expect(newLot?.remaining).toBe(await admin.balance(id));
  });
});

describe('the oldest credits are used first', () => {
  it('by the time of purchase, whatever the order of entry', async () => {
    const { id, key } = await customer();
    const newer = await purchase(id, { pack: 'trial' });
    const oldest = await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-20) });
    const middle = await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-10) });
    await spend(key, 49);
    expect(remainingOf((await admin.account(id)).lots)).toEqual(
      new Map([
        [oldest.id, 1],
        [middle.id, 50],
        [newer.id, 50],
      ]),
    );
    await spend(key, 12);
    expect(remainingOf((await admin.account(id)).lots)).toEqual(
      new Map([
        [oldest.id, 0],
        [middle.id, 39],
        [newer.id, 50],
      ]),
    );
  });

  it('one call may take from two lots', async () => {
    const { id, key } = await customer();
    const older = await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-5) });
    const newer = await purchase(id, { pack: 'trial' });
    await spend(key, 49);
    const reply = await api.search({ country: catalog.country, q: 'someone' }, key);
    expect(reply.body).toMatchObject({ credits_used: 3, credits_remaining: 48 });
    const entries = (await admin.ledger(id)).slice(0, 2);
    expect(new Set(entries.map(({ charge_id: charge }) => charge)).size).toBe(1);
    expect(new Map(entries.map(({ lot_id: lot, credits }) => [lot, credits]))).toEqual(
      new Map([
        [older.id, -1],
        [newer.id, -2],
      ]),
    );
  });
});

describe('every answer reports credits_used and credits_remaining', () => {
  it('on a search, on a search without a match and on a profile', async () => {
    const { id, key } = await customer();
    await purchase(id, { pack: 'trial' });
    const reports = [
      await api.search({ country: catalog.country }, key),
      await api.search({ country: randomWord() }, key),
      await api.profile(slug, key),
    ].map(({ body }) => [body.credits_used, body.credits_remaining]);
    expect(reports).toEqual([
      [2, 48],
      [0, 48],
      [1, 47],
    ]);
  });
});

describe('the warning at 5 credits or fewer', () => {
  const warningOf = (reply: PublicReply<{ warning?: string }>) => ({
    field: reply.body.warning,
    header: reply.headers['x-credits-warning'],
  });

  it('none at 6; at 5 and down to 0 both field and header, the same sentence with the number left', async () => {
    const { key } = await createFundedAccount({ credits: 7 });
    expect(warningOf(await api.profile(slug, key))).toEqual({ field: undefined, header: undefined });
    for (const left of [5, 4, 3, 2, 1, 0]) {
      const { field, header } = warningOf(await api.profile(slug, key));
      expect(field).toMatch(new RegExp(`\\b${left}\\b`));
      expect(field).toMatch(/\S+ \S+/);
      expect(header).toBe(field);
    }
  });

  it('on searches too, those that match nothing included', async () => {
    const { key } = await createFundedAccount({ credits: 6 });
    expect(warningOf(await api.search({ q: randomWord() }, key)).field).toBeUndefined();
    expect(warningOf(await api.search({ country: catalog.country }, key)).field).toContain('4');
    const { field, header } = warningOf(await api.search({ q: randomWord() }, key));
    expect(field).toContain('4');
    expect(header).toBe(field);
  });

  it('on a 402 the header alone', async () => {
    const { key } = await createFundedAccount({ credits: 1 });
    const reply = await api.search({ country: catalog.country }, key);
    expect(reply.status).toBe(402);
    expect(reply.headers['x-credits-warning']).toContain('1');
    expect(reply.body).not.toHaveProperty('warning');
  });

  it('a 402 with more than 5 credits left has none', async () => {
    const { key } = await createFundedAccount({ credits: 6 });
    const all = { q: 'someone', country: catalog.country, category: 'fitness', language: 'English' };
    const reply = await api.search({ ...all, platform: 'youtube', min_followers: 1 }, key);
    expect(reply).toMatchObject({ status: 402, body: { credits_needed: 7, credits_remaining: 6 } });
    expect(reply.headers).not.toHaveProperty('x-credits-warning');
  });
});

describe('a balance of 0', () => {
  it('and no match: 200, free', async () => {
    const { key } = await createFundedAccount({ credits: 0 });
    const reply = await api.search({ q: randomWord() }, key);
    expect(reply).toMatchObject({
      status: 200,
      body: { total: 0, credits_used: 0, credits_remaining: 0 },
    });
    expect(reply.body.warning).toContain('0');
  });

  it('credits bought afterwards count at once', async () => {
    const { id, key } = await createFundedAccount({ credits: 0 });
    expect((await api.profile(slug, key)).status).toBe(402);
    await adjust(id, 3);
    expect((await api.profile(slug, key)).body).toMatchObject({ credits_remaining: 2 });
  });
});
