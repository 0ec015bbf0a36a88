import {
  answerInvitation,
  changeSignInRules,
  createKey,
  deleteKey,
  endSession,
  inviteMember,
  joinAccount,
  leaveAccount,
  openAccount,
  renameAccount,
  startOrder,
  updateKey,
} from '@app/contracts';
import { type PageForm, type PageVisitor } from '@app/testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const changes = [
  answerInvitation,
  changeSignInRules,
  createKey,
  deleteKey,
  endSession,
  inviteMember,
  joinAccount,
  leaveAccount,
  openAccount,
  renameAccount,
  startOrder,
  updateKey,
];

describe('a form', () => {
  const account = ScriptedAccount.forSuite();
  let member: PageVisitor;
  let forms: PageForm[];
  beforeEach(async () => {
    member = account.member();
    const pages = await Promise.all(account.paths.map((path) => member.get(path)));
    const all = pages.flatMap((page) => page.forms).filter(({ fields }) => 'form_token' in fields);
    forms = [...new Map(all.map((form) => [form.action, form])).values()];
  });

  /** What reached billing although it should not have. */
  function changed(): string[] {
    return changes.flatMap((contract) =>
      account.api.services.payloadsOf<unknown, unknown>(contract).map(() => contract.pattern),
    );
  }

  async function assertRefused(
    fieldsOf: (form: PageForm) => Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<void> {
    for (const form of forms) {
      const page = await member.post(form.action, fieldsOf(form), headers);
      expect([form.action, page.status]).toEqual([form.action, 403]);
      expect(page.text).toContain('Nothing was changed');
    }
    expect(changed()).toEqual([]);
  }

  it('is on many pages', () => {
    expect(forms.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        '/account/sign-out',
        '/account/switch',
        '/account/keys',
        '/account/buy',
        '/account/settings/members',
        '/account/settings/notices',
        '/account/settings/account',
        '/account/settings/sign-in',
        '/account/settings/leave',
        '/account/accounts',
      ]),
    );
    expect(forms.length).toBeGreaterThan(12);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a site whose name begins like ours', { origin: 'http://127.0.0.1.evil.example' }],
    ['another scheme', { origin: 'https://127.0.0.1' }],
    ['a sandbox', { origin: 'null' }],
    ['another site that hides its origin', { referer: 'https://evil.example/account' }],
    ['an unknown place', {}],
  ])('from %s is refused, token and all', async (_from, headers) => {
    await assertRefused(({ fields }) => ({ ...fields }), headers);
  });

  it('without the token of its page is refused', async () => {
    await assertRefused(({ fields: { form_token: _token, ...fields } }) => fields);
    await assertRefused(({ fields }) => ({ ...fields, form_token: '' }));
  });

  it('with the token of another session is refused', async () => {
    const other = await account.member().get('/account');
    const { form_token = '' } = other.form('/sign-out').fields;
    await assertRefused(({ fields }) => ({ ...fields, form_token }));
  });

  it('is accepted from a browser that sends only a Referer', async () => {
    account.api.services.on(updateKey, ({ key_id }) => ({
      id: key_id,
      name: 'Crawler',
      prefix: 'csk_a1B2c3',
      active: false,
      created_at: '2026-01-01T00:00:00.000Z',
      last_used_at: null,
      created_by: null,
    }));
    const { action, fields } = (await member.get('/account/keys')).form('/off');
    const page = await member.post(action, { ...fields }, { referer: `${account.api.origin}/account/keys` });
    expect([page.status, page.location]).toEqual([303, '/account/keys?done=off']);
  });

  it('of another type than browsers send is refused', async () => {
    const response = await fetch(`${account.api.origin}/account/keys`, {
      method: 'POST',
      headers: {
        origin: account.api.origin,
        cookie: `session=${member.cookies.get('session')}`,
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect(response.status).toBe(415);
  });

  it('of owners is refused to a member, whatever page it is from', async () => {
    const plain = account.member('member');
    const removal = /\/account\/settings\/members\/[\w-]{36}\/remove/;
    const [removalPath = ''] = removal.exec((await member.get('/account/settings')).html) ?? [];
    expect((await plain.get(removalPath)).status).toBe(403);
    const { form_token = '' } = (await plain.get('/account')).form('/sign-out').fields;
    const ofOwners = forms.filter(({ action }) =>
      /\/(buy|members.*|notices.*|settings\/(?:account|sign-in))$/.test(action),
    );
    expect(ofOwners.length).toBeGreaterThan(4);
    for (const { action, fields } of ofOwners) {
      const page = await plain.post(action, { ...fields, form_token });
      expect([action, page.status]).toEqual([action, 403]);
      expect(page.text).toContain('Only owners');
    }
    expect((await plain.get('/account/settings')).html).not.toContain('/settings/members');
    expect((await plain.get('/account/buy')).html).not.toContain('name="pack"');
  });
});
