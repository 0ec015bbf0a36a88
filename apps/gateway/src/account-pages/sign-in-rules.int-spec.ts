import {
  changeSignInRules,
  finishSignInByCode,
  getSession,
  getSignInRules,
  joinAccount,
  listInvitations,
  listSessions,
  requestSignIn,
  ServiceError,
  type SessionMethod,
  type SessionView,
  switchAccount,
  type WithheldAccount,
} from '#contracts';
import { type PageVisitor, type ShownPage } from '#testing';
import { v7 as uuidv7 } from 'uuid';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const provider = '/account/sign-in/provider';

const without = ScriptedAccount.forSuite();
const withProvider = ScriptedAccount.forSuite({
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'pages',
  OIDC_CLIENT_SECRET: 'secret',
});

/** A browser with a session that billing describes so. */
function signedIn(account: ScriptedAccount, view: Partial<SessionView>): PageVisitor {
  account.api.services.on(getSession, () => ({ ...account.session('owner'), ...view }));
  return account.member();
}

/** The same, of a session that may not show its account. */
function withheld(
  account: ScriptedAccount,
  asks: WithheldAccount['asks'],
  method?: SessionMethod,
): PageVisitor {
  const example = { id: account.accountId, name: 'Example Ltd', asks };
  return signedIn(account, {
    role: null,
    account: null,
    accounts: [example],
    withheld: example,
    ...(method === undefined ? {} : { method }),
  });
}

/** Where the links of a page that look like buttons lead. */
const buttonsOf = (html: string): string[] =>
  [...html.matchAll(/<a class="button[^"]*" href="([^"]*)"/g)].map(([, href = '']) => href);

describe('an account that asks for sign-in through the company', () => {
  it('is on none of its pages, which say so and lead to the provider and back', async () => {
    const visitor = withheld(withProvider, 'provider', 'mail');
    for (const path of withProvider.paths.filter((each) => each !== '/account/accounts')) {
      const page = await visitor.get(path);
      expect([path, page.status]).toEqual([path, 403]);
      expect(page.text).toContain('Example Ltd requires single sign-on');
      const [button = ''] = buttonsOf(page.html);
      const { pathname, searchParams } = new URL(button.replaceAll('&amp;', '&'), 'https://pages.example');
      expect([pathname, searchParams.get('return_to')]).toEqual([provider, path]);
    }
  });

  it('takes no form either', async () => {
    const visitor = withheld(withProvider, 'provider', 'mail');
    const { fields } = (await visitor.get('/account/accounts')).form('/sign-out');
    const page = await visitor.post('/account/keys', { ...fields, name: 'x' });
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('requires single sign-on')]);
  });

  it('leads nowhere where no provider is configured: the operator helps', async () => {
    const page = await withheld(without, 'provider').get('/account/keys');
    expect([page.status, buttonsOf(page.html)]).toEqual([403, []]);
    expect(page.text).toContain('Ask the operator of this service for a sign-in link');
  });

  it('is marked among the accounts, and switching to it says how', async () => {
    const account = withProvider.session('owner');
    const other = { id: account.session_id, name: 'Example Ltd', asks: 'provider' as const };
    const visitor = signedIn(withProvider, { accounts: [...account.accounts, other] });
    const accounts = await visitor.get('/account/accounts');
    expect(accounts.text).toContain('Requires single sign-on.');
    const { fields } = accounts.form('/account/switch');
    const page = await visitor.post('/account/switch', { ...fields, account_id: other.id });
    expect([page.status, page.text]).toEqual([
      403,
      expect.stringContaining('Example Ltd requires single sign-on'),
    ]);
    expect(buttonsOf(page.html)).toEqual([`${provider}?return_to=%2Faccount`]);
    expect(withProvider.api.services.payloadsOf(switchAccount)).toEqual([]);
  });
});

describe('a person who tried to switch to an account that asks for another sign-in', () => {
  const wanted = uuidv7();
  const signIn = async (visitor: PageVisitor, path: string): Promise<ShownPage> => {
    const { services } = withProvider.api;
    services.on(requestSignIn, () => ({ valid_for_seconds: 600 }));
    services.on(finishSignInByCode, () => withProvider.session('owner'));
    const sent = await visitor.submit((await visitor.get(path)).form('/sign-in'), { email: 'a@example.com' });
    return visitor.submit((await visitor.follow(sent)).form('/code'), { code: '123456' });
  };
  const refused = async (): Promise<PageVisitor> => {
    const other = { id: wanted, name: 'Example Ltd', asks: 'again' as const };
    const { accounts } = withProvider.session('owner');
    const visitor = signedIn(withProvider, { accounts: [...accounts, other], method: 'mail' });
    const form = (await visitor.get('/account/accounts')).form('/account/switch', { account_id: wanted });
    const page = await visitor.submit(form);
    expect(buttonsOf(page.html)).toEqual(['/account/sign-in?return_to=%2Faccount']);
    return visitor;
  };

  it('is shown it once they have signed in, in the new session, and only then', async () => {
    const { services } = withProvider.api;
    services.on(switchAccount, () => withProvider.session('owner'));
    const visitor = await refused();
    expect((await signIn(visitor, '/account/sign-in')).location).toBe('/account');
    const [finished] = services.payloadsOf(finishSignInByCode);
    const switched = {
      session_hash: (finished as { session_hash: string }).session_hash,
      account_id: wanted,
    };
    expect(services.payloadsOf(switchAccount)).toEqual([switched]);
    await signIn(visitor, '/account/sign-in');
    expect(services.payloadsOf(switchAccount)).toEqual([switched]);
  });

  it('goes where they want to go instead, if it is another page', async () => {
    const page = await signIn(await refused(), '/account/sign-in?return_to=/account/settings');
    expect(page.location).toBe('/account/settings');
    expect(withProvider.api.services.payloadsOf(switchAccount)).toEqual([]);
  });

  it('is signed in all the same when the account is no longer theirs, or asks for still more', async () => {
    withProvider.api.services.on(switchAccount, () => {
      throw new ServiceError('forbidden', 'Example Ltd requires single sign-on.');
    });
    const page = await signIn(await refused(), '/account/sign-in');
    expect([page.status, page.location]).toEqual([303, '/account']);
  });
});

describe('an account that asks to sign in again', () => {
  it.each([
    ['provider', `${provider}?return_to=%2Faccount%2Fkeys`],
    ['mail', '/account/sign-in?return_to=%2Faccount%2Fkeys'],
    [undefined, '/account/sign-in?return_to=%2Faccount%2Fkeys'],
  ] as const)('leads to the way of the last sign-in: %s', async (method, href) => {
    const page = await withheld(withProvider, 'again', method).get('/account/keys');
    expect([page.status, buttonsOf(page.html)]).toEqual([403, [href]]);
    expect(page.text).toContain('requires its members to sign in again after some time');
  });
});

describe('the settings of an owner', () => {
  const save = async (visitor: PageVisitor, values: Record<string, string>) =>
    visitor.submit((await visitor.get('/account/settings')).form('/settings/sign-in'), values);
  const asked = () => withProvider.api.services.payloadsOf(changeSignInRules);
  const rules = { join_domains: [], provider_only: true, session_hours: 8 };

  it('offer "only through the company" in a session of the provider, and keep what is sent', async () => {
    withProvider.api.services.on(changeSignInRules, () => rules);
    const visitor = signedIn(withProvider, { method: 'provider' });
    const done = await save(visitor, { provider_only: 'yes', session_hours: '8' });
    expect((await visitor.follow(done)).text).toContain('Sign-in settings saved.');
    const form = (await visitor.get('/account/settings')).form('/settings/sign-in');
    const { form_token = '', offers_provider_only = '' } = form.fields;
    await visitor.post(form.action, { form_token, offers_provider_only, session_hours: '' });
    expect(asked()).toMatchObject([
      { account_id: withProvider.accountId, provider_only: true, session_hours: 8 },
      { account_id: withProvider.accountId, provider_only: false, session_hours: 0 },
    ]);
  });

  it('lead to the provider first in any other session, and leave that rule as it is', async () => {
    withProvider.api.services.on(changeSignInRules, () => rules);
    const visitor = signedIn(withProvider, { method: 'mail' });
    const { html } = await visitor.get('/account/settings');
    expect(html).not.toContain('name="provider_only"');
    expect(html).toContain(`${provider}?return_to=%2Faccount%2Fsettings`);
    await save(visitor, { session_hours: '8' });
    expect(asked()).toEqual([
      { account_id: withProvider.accountId, session_hash: expect.any(String) as string, session_hours: 8 },
    ]);
  });

  it('do not speak of a provider where there is none, unless the rule is on', async () => {
    expect((await signedIn(without, { method: 'mail' }).get('/account/settings')).html).not.toContain(
      provider,
    );
    without.api.services.on(getSignInRules, () => rules);
    const { html } = await signedIn(without, { method: 'operator' }).get('/account/settings');
    expect(html).toMatch(/name="provider_only"[^>]*checked/);
  });

  it('say how each session was opened, and whose people may join', async () => {
    const session = (method: SessionMethod) => ({
      session_id: withProvider.keyId,
      is_current: false,
      method,
      network: '203.0.113.7',
      user_agent: 'Firefox',
      signed_in_at: '2026-01-01T00:00:00.000Z',
      last_seen_at: '2026-01-01T00:00:00.000Z',
    });
    withProvider.api.services.on(listSessions, () => ({
      sessions: [session('mail'), session('provider'), session('operator')],
    }));
    const { text } = await signedIn(withProvider, {}).get('/account/settings');
    for (const words of ['by email', 'through your company', 'with a link from the operator']) {
      expect(text).toContain(`signed in ${words}`);
    }
    expect(text).toContain('People with an email address at corp.example can join as members.');
  });

  it('are read by members, who cannot change them', async () => {
    withProvider.api.services.on(getSignInRules, () => rules);
    const visitor = signedIn(withProvider, { role: 'member' });
    const page = await visitor.get('/account/settings');
    expect(page.text).toContain(
      "Members sign in through your company's single sign-on. They sign in again after 8 hours.",
    );
    expect(page.forms.map(({ action }) => action)).not.toContain('/account/settings/sign-in');
    const { fields } = page.form('/sign-out');
    const refused = await visitor.post('/account/settings/sign-in', { ...fields, session_hours: '' });
    expect([refused.status, asked()]).toEqual([403, []]);
  });
});

describe('an account that the people of a domain may join', () => {
  it('is offered, and joined only by the button', async () => {
    const offer = { account_id: without.keyId, account_name: 'Corp Inc.', domain: 'corp.example' };
    const own = { invitations: [], can_open_account: false, joinable: [offer] };
    without.api.services.on(listInvitations, () => own);
    without.api.services.on(joinAccount, () => without.session('member'));
    const visitor = signedIn(without, { role: null, account: null, accounts: [] });
    const page = await visitor.get('/account/accounts');
    expect(page.text).toContain('People at corp.example can join as members.');
    expect(page.text).not.toContain('You are not a member of any account');
    expect(without.api.services.payloadsOf(joinAccount)).toEqual([]);
    expect((await visitor.submit(page.form('/join'))).location).toBe('/account');
    expect(without.api.services.payloadsOf(joinAccount)).toMatchObject([{ account_id: offer.account_id }]);
  });

  it.each([
    ['forbidden', 403, 'You signed in more than a day ago'],
    ['not_found', 404, 'There is no account with this id'],
    ['conflict', 409, 'The account has 50 members already'],
  ] as const)('says on the page why it cannot be joined: %s', async (code, status, sentence) => {
    without.api.services.on(joinAccount, () => {
      throw new ServiceError(code, `${sentence}.`);
    });
    const visitor = signedIn(without, {});
    const page = await visitor.submit((await visitor.get('/account/accounts')).form('/join'));
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(sentence)]);
  });
});
