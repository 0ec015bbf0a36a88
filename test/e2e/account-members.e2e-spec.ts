import { createAccount } from '../support/accounts.js';
import { admin, succeeded } from '../support/admin-api.js';
import {
  acceptInvitation,
  createKeyOnPage,
  inviteOnPage,
  newMember,
  newOwner,
  signedIn,
} from '../support/members.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { codeIn, describeSelling, mailTo } from '../support/selling.js';

const newAddress = () => `${randomWord()}@colleague.example`;

// What else members may and may not: apps/billing/src/people/sessions/sessions.int-spec.ts, apps/website/src/forms.int-spec.ts.
describe('members', () => {
  it('become owners or are removed by an owner, and an account keeps one owner', async () => {
    const { account, owner } = await newOwner();
    const member = await newMember(account.id, owner);
    const alone = await owner.get('/account/settings');
    // The last owner gets no button that would be refused.
    expect(alone.forms.filter(({ action }) => action.endsWith('/role'))).toHaveLength(1);
    const promoted = await owner.submit(alone.form('/role', { role: 'owner' }));
    expect((await owner.follow(promoted)).text).toContain('Role changed.');
    expect((await member.get('/account/settings')).html).toContain('/settings/members');

    const removal = (await owner.get('/account/settings')).form('/remove');
    expect((await owner.follow(await owner.submit(removal))).text).toContain('Member removed');
    expect((await member.get('/account')).location).toBe('/account/sign-in');
    const { form_token = '' } = (await owner.get('/account')).form('/sign-out').fields;
    const kept = await owner.post('/account/settings/leave', { form_token, account_id: account.id });
    expect([kept.status, (await owner.get('/account')).status]).toEqual([409, 200]);
  });

  it('keep their keys working when they are removed, unless an owner deletes them too', async () => {
    const { account, owner } = await newOwner();
    const keys: string[] = [];
    for (const deleted of ['', 'yes']) {
      const email = newAddress();
      const member = await newMember(account.id, owner, { email });
      keys.push(await createKeyOnPage(member, `Of ${email}`));
      expect((await owner.get('/account/keys')).text).toContain(email);
      const { action, fields } = (await owner.get('/account/settings')).form('/remove');
      const { form_token = '' } = fields;
      const chosen: Record<string, string> =
        deleted === '' ? { form_token } : { form_token, delete_keys: deleted };
      expect((await owner.submit({ action, fields: chosen })).status).toBe(303);
      if (deleted === '') {
        expect((await owner.get('/account/keys')).text).toContain(`by ${email}, no longer a member`);
      }
    }
    const [kept = '', gone = ''] = keys;
    expect([await api.freeStatus(kept), await api.freeStatus(gone)]).toEqual([200, 401]);
  });

  it('of two accounts switch between them, and leave one', async () => {
    const { account, owner } = await newOwner();
    const other = await createAccount();
    await inviteOnPage(await signedIn(other.id), account.email);
    expect((await owner.get('/account')).text).toContain('You are invited to an account.');
    expect((await acceptInvitation(owner)).text).toContain(other.name);
    const menu = (await owner.get('/account/accounts')).form('/account/switch');
    const changed = await owner.follow(await owner.submit(menu, { account_id: account.id }));
    expect(changed.text).toContain(account.name);
    const back = (await owner.get('/account/accounts')).form('/account/switch');
    await owner.submit(back, { account_id: other.id });
    expect((await owner.get('/account/settings')).text).toContain(other.id);
    const left = await owner.submit((await owner.get('/account/settings')).form('/leave'));
    expect((await owner.follow(left)).text).toContain('You have left the account.');
    expect((await owner.get('/account')).text).toContain(account.name);
  });
});

describe('sessions', () => {
  it('are listed, and ended by the member', async () => {
    const { account, owner } = await newOwner();
    const elsewhere = await signedIn(account.id);
    expect((await elsewhere.get('/account')).status).toBe(200);
    const settings = await owner.get('/account/settings');
    expect(settings.text).toContain('This device');
    const ended = await owner.submit(settings.form('/sessions/end'));
    expect((await owner.follow(ended)).text).toContain('The other session is signed out.');
    expect((await elsewhere.get('/account')).location).toBe('/account/sign-in');
    expect((await owner.get('/account')).status).toBe(200);
  });
});

describe('an account', () => {
  it('is closed by its owner, who types its name: keys stop, members are signed out, and operators see when', async () => {
    const { account, owner } = await newOwner();
    const member = await newMember(account.id, owner);
    const key = await createKeyOnPage(owner, 'Crawler');
    expect((await member.get('/account/settings')).html).not.toContain('/settings/close');
    const page = await owner.get('/account/settings/close');
    for (const said of ['stop working immediately: 1.', 'Credits that lapse: 0.', 'you included: 2.']) {
      expect(page.text).toContain(said);
    }
    const wrong = await owner.submit(page.form('/close'), { name: 'Another' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('exactly as shown')]);
    const closed = await owner.follow(await owner.submit(wrong.form('/close'), { name: account.name }));
    expect(closed.text).toContain('The account is closed, and you are signed out.');
    expect(await api.freeStatus(key)).toBe(401);
    expect((await member.get('/account')).location).toBe('/account/sign-in');
    const seen = succeeded(await admin.call<{ closed_at?: string }>('GET', `/accounts/${account.id}`));
    expect(seen.closed_at).toMatch(/Z$/);
  });
});

describeSelling('another email address', () => {
  it('is confirmed by the code that is sent to it', async () => {
    const { account, owner } = await newOwner();
    const email = newAddress();
    const asked = await owner.submit((await owner.get('/account/settings/email')).form('/email'), { email });
    expect(asked.text).toContain(email);
    const wrong = await owner.submit(asked.form('/code'), { code: '12' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('That code is wrong')]);
    const code = codeIn(await mailTo(email, 'Confirm your'));
    const changed = await owner.follow(await owner.submit(wrong.form('/code'), { code }));
    expect(changed.text).toContain('Email address changed.');
    expect(changed.text).toContain(email);
    expect(changed.text).not.toContain(account.email);
  });
});
