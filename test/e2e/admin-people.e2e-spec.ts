import { eventually } from '#testing';
import { admin } from '../support/admin-api.js';
import { createKeyOnPage, newOwner } from '../support/members.js';
import { api } from '../support/public-api.js';

interface Erasure {
  readonly erased: Readonly<Record<string, number>>;
}

describe('POST /people/report and /people/erase', () => {
  it('an owner who is erased is signed out, their account is closed, and their address is a stranger', async () => {
    const { account, owner } = await newOwner();
    const { email } = account;
    const key = await createKeyOnPage(owner, 'Crawler');
    expect(await admin.call('POST', '/people/report', { email })).toMatchObject({
      status: 200,
      body: {
        memberships: [{ account_id: account.id, role: 'owner' }],
        sessions: [{ method: 'operator' }],
        keys: [{ name: 'Crawler' }],
      },
    });

    const erase = (body: object = {}) => admin.call<Erasure>('POST', '/people/erase', { email, ...body });
    const refused = await erase();
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain(account.id);
    expect((await owner.get('/account')).status).toBe(200);

    expect(await erase({ close_accounts: true })).toMatchObject({
      status: 200,
      body: { erased: { people: 1, memberships: 1, sessions: 1, closed_accounts: 1, switched_off_keys: 1 } },
    });
    expect((await owner.get('/account')).location).toMatch(/^\/account\/sign-in/);
    await eventually(async () => expect(await api.freeStatus(key)).toBe(401));
    expect(await admin.account(account.id)).toMatchObject({ name: `Erased account ${account.id}` });
    expect(JSON.stringify(await admin.call('POST', '/people/report', { email }))).not.toContain(account.id);
    expect((await erase()).status).toBe(404);
  });
});
