import {
  answerInvitation,
  endSession,
  getSession,
  inviteMember,
  openAccount,
  renameAccount,
} from '#contracts';
import { type PageVisitor } from '#testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const account = ScriptedAccount.forSuite();

describe('a person without an account', () => {
  let person: PageVisitor;
  beforeEach(() => {
    person = account.member();
    account.site.services.on(getSession, () => ({
      ...account.session('owner'),
      role: null,
      account: null,
      accounts: [],
      invitations: 1,
    }));
  });

  it('is led to their invitations from every page of an account, and changes nothing there', async () => {
    for (const path of account.paths.filter((each) => each !== '/account/accounts')) {
      const page = await person.get(path);
      expect([path, page.status, page.location]).toEqual([path, 303, '/account/accounts']);
    }
    const { fields } = (await person.get('/account/accounts')).form('/sign-out');
    for (const path of ['/account/keys', '/account/settings/members', '/account/settings/account']) {
      const refused = await person.post(path, { ...fields, name: 'x', email: 'a@b.example', role: 'owner' });
      expect([path, refused.status, refused.location]).toEqual([path, 303, '/account/accounts']);
    }
  });

  it('accepts, declines, opens an account of their own, and signs out', async () => {
    const accepted = { ...account.session('member'), invitations: 0 };
    account.site.services.on(answerInvitation, () => accepted);
    account.site.services.on(openAccount, () => accepted);
    account.site.services.on(endSession, () => ({ ended: true }));
    const page = await person.get('/account/accounts');
    expect(page.text).toContain('Signed in as jana@weitblick.example');
    expect((await person.submit(page.form('/accept'))).location).toBe('/account');
    const declined = await person.submit(page.form('/decline'));
    expect((await person.follow(declined)).text).toContain('Invitation declined.');
    expect(account.site.services.payloadsOf(answerInvitation)).toMatchObject([
      { is_accepted: true },
      { is_accepted: false },
    ]);
    expect((await person.submit(page.form('/account/accounts'))).location).toBe('/account');
    expect(account.site.services.payloadsOf(openAccount)).toHaveLength(1);
    expect((await person.submit(page.form('/sign-out'))).location).toContain('/account/sign-in');
  });
});

describe('a member', () => {
  it.each(['/account/keys', '/account/buy'])(
    'reads on %s that their account is suspended, and has no form',
    async (path) => {
      const formTo = `action="${path}"`;
      expect((await account.member().get(path)).html).toContain(formTo);
      const suspended = { id: account.accountId, name: 'Acme', is_suspended: true as const };
      account.site.services.on(getSession, () => ({ ...account.session('owner'), account: suspended }));
      const { text, html } = await account.member().get(path);
      expect(text).toContain('This account is suspended:');
      for (const form of [formTo, '/rotate']) expect(html).not.toContain(form);
    },
  );
});

describe('an owner', () => {
  it.each([
    [true, 'Invitation sent by email.'],
    [false, 'This service sends no email'],
  ])('is promised an email only where email is sent: %s', async (is_mailed, sentence) => {
    const [invited_at, expires_at] = ['2026-01-01T00:00:00.000Z', '2026-01-15T00:00:00.000Z'];
    account.site.services.on(inviteMember, ({ invitation_id: id, email, role }) => ({
      ...{ id, email, role, is_mailed, invited_at, expires_at },
    }));
    const owner = account.member();
    const form = (await owner.get('/account/settings')).form('/settings/members');
    const page = await owner.submit(form, { email: 'a@b.example', role: 'owner' });
    expect((await owner.follow(page)).text).toContain(sentence);
  });

  it('renames the account', async () => {
    account.site.services.on(renameAccount, () => ({ renamed: true }));
    const owner = account.member();
    const form = (await owner.get('/account/settings')).form('/settings/account');
    const done = await owner.submit(form, { name: ' Weitblick GmbH ' });
    expect((await owner.follow(done)).text).toContain('Account renamed.');
    expect(account.site.services.payloadsOf(renameAccount)).toMatchObject([{ name: 'Weitblick GmbH' }]);
  });
});
