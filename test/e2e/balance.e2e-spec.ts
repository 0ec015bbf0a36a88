import { createAccount, createFundedAccount, createKey, purchase, spentBy } from '../support/accounts.js';
import { daysFromNow } from '../support/admin-api.js';
import { clientOf } from '../support/client-of.js';
import { api, paths } from '../support/public-api.js';

describe('GET /balance', () => {
  it('shows what each unexpired lot holds, oldest first, and their total; free', async () => {
    const { id } = await createAccount();
    const { key } = await createKey(id);
    const day = 24 * 3_600_000;
    await purchase(id, { pack: 'builder' });
    await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-20) });
    await purchase(id, { pack: 'scale', purchased_at: daysFromNow(-31) });
    const spent = await spentBy(id, async () => {
      const reply = await api.balance(key);
      expect(reply.status).toBe(200);
      expect(Object.keys(reply.body)).toEqual(['credits_remaining', 'lots']);
      expect(reply.body).toMatchObject({
        credits_remaining: 550,
        lots: [
          { pack: 'trial', credits: 50, remaining: 50 },
          { pack: 'builder', credits: 500, remaining: 500 },
        ],
      });
      for (const lot of reply.body.lots) {
        expect(Object.keys(lot)).toEqual(['pack', 'credits', 'remaining', 'purchased_at', 'expires_at']);
        expect(Date.parse(lot.expires_at) - Date.parse(lot.purchased_at)).toBe(30 * day);
      }
    });
    expect(spent).toBe(0);
  });

  it('equals credits_remaining of the last answer', async () => {
    const account = await createFundedAccount({ credits: 7 });
    const client = clientOf(account.key);
    const { credits } = await client.search({ limit: 1 });
    expect((await client.balance()).credits_remaining).toBe(credits.remaining);
  });

  it('has a limit of 60 a minute of its own, and says so', async () => {
    const { key } = await createFundedAccount();
    const first = await api.balance(key);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"account";q=60;w=60',
      ratelimit: expect.stringMatching(/^"account";r=59;t=\d+$/) as string,
    });
    await Promise.all(Array.from({ length: 59 }, () => api.balance(key)));
    const refused = await api.balance(key);
    expect(refused.status).toBe(429);
    expect(refused.body.error).toContain('60 times in 60 seconds');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await api.search({ limit: 1 }, key)).status).toBe(200);
  });

  it('400 for a parameter, 401 without a key, 405 for another method', async () => {
    const { key } = await createFundedAccount();
    const reply = await api.get(`${paths.balance}?days=3`, key);
    expect([reply.status, Object.keys(reply.body.details)]).toEqual([400, ['days']]);
    expect((await api.send(paths.balance)).status).toBe(401);
    expect((await api.get(paths.balance, key, { method: 'POST' })).status).toBe(405);
  });
});
