import {
  answerInvitation,
  changeNotices,
  createKey,
  deleteKey,
  endSession,
  inviteMember,
  leaveAccount,
  openAccount,
  renameAccount,
  ServiceError,
  startOrder,
  testNotice,
  updateKey,
} from '#contracts';
import { type PageForm, type PageVisitor, type ShownPage } from '#testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const changes = [
  answerInvitation,
  createKey,
  deleteKey,
  endSession,
  inviteMember,
  leaveAccount,
  openAccount,
  renameAccount,
  startOrder,
  updateKey,
];

const account = ScriptedAccount.forSuite();

describe('a form', () => {
  let member: PageVisitor;
  let forms: PageForm[];
  beforeAll(async () => {
    account.script();
    member = account.member();
    const pages = await Promise.all(account.paths.map((path) => member.get(path)));
    const all = pages.flatMap((page) => page.forms).filter(({ fields }) => 'form_token' in fields);
    forms = [...new Map(all.map((form) => [form.action, form])).values()];
  });

  /** What reached billing although it should not have. */
  function changed(): string[] {
    return changes.flatMap((contract) =>
      account.site.services.payloadsOf<unknown, unknown>(contract).map(() => contract.pattern),
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
    account.site.services.on(updateKey, ({ key_id }) => ({
      id: key_id,
      name: 'Crawler',
      prefix: 'csk_a1B2c3',
      active: false,
      expires_at: null,
      monthly_limit: null,
      rotated_at: null,
      created_at: '2026-01-01T00:00:00.000Z',
      last_used_at: null,
      created_by: null,
    }));
    const { action, fields } = (await member.get('/account/keys')).form('/off');
    const page = await member.post(action, { ...fields }, { referer: `${account.site.origin}/account/keys` });
    expect([page.status, page.location]).toEqual([303, '/account/keys?done=off']);
  });

  it('of another type than browsers send is refused', async () => {
    const response = await fetch(`${account.site.origin}/account/keys`, {
      method: 'POST',
      headers: {
        origin: account.site.origin,
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

/** The input or list with this name in the form that is sent there, with what comes before it. */
function fieldIn(page: ShownPage, action: string, name: string): string {
  const [, form = ''] =
    new RegExp(`<form [^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(page.html) ?? [];
  const [field = ''] =
    new RegExp(`<div class="field">(?:(?!<div).)*name="${name}"(?:(?!<div).)*</div>`, 's').exec(form) ?? [];
  return field;
}

describe('a form that is not accepted', () => {
  const settings = '/account/settings';
  const notices = `${settings}/notices`;

  it.each([
    ['/account/keys', '/account/keys', 'name', 'x'.repeat(101), 'Enter a name of 1 to 100 characters.'],
    ['/account/keys', '/name', 'name', 'y'.repeat(101), 'Enter a name of 1 to 100 characters.'],
    ['/account/keys', '/delete', 'name', 'Krawler', 'The name doesn&#39;t match.'],
    [settings, '/members', 'email', 'jana at weitblick', 'Enter a valid email address.'],
    [settings, '/members', 'email', 'ｃfo@corp.example', 'This address has characters that stand for others'],
    [settings, '/settings/account', 'name', 'x'.repeat(201), 'Enter a name of 1 to 200 characters.'],
    [settings, '/notices', 'balance_threshold', '12 or so', 'Enter a whole number'],
    [settings, '/notices', 'balance_threshold', '-5', 'Enter a whole number'],
    [settings, '/notices', 'balance_threshold', '99999999999', 'Enter a whole number'],
  ])(
    'of %s, to ...%s: %s = %j is kept, with the reason beside it',
    async (path, actionEnd, name, typed, reason) => {
      const member = account.member();
      const form = (await member.get(path)).form(actionEnd);
      const page = await member.submit(form, { [name]: typed });
      expect(page.status).toBe(400);
      const field = fieldIn(page, form.action, name);
      expect(field.replaceAll('&#39;', "'")).toContain(reason.replaceAll('&#39;', "'"));
      expect(field).toMatch(/aria-invalid="true"[^>]*autofocus/);
      expect(field).toContain(`value="${typed}"`);
      expect(field).not.toContain('type="number"');
    },
  );

  it('keeps every other field of it too, and the other forms of the page as they were', async () => {
    const reason = 'points to a private address';
    account.site.services.on(changeNotices, () => {
      throw new ServiceError('invalid_request', reason, { details: { webhook_url: [reason] } });
    });
    const member = account.member();
    const { action, fields } = (await member.get(settings)).form('/notices');
    const unticked = Object.entries(fields).filter(([name]) => name !== 'notify_by_email');
    const filled = { balance_threshold: '250', webhook_url: 'https://10.0.0.1/x' };
    const page = await member.post(action, { ...Object.fromEntries(unticked), ...filled });
    expect(page.status).toBe(400);
    const webhook = fieldIn(page, notices, 'webhook_url');
    expect(webhook).toContain('Points to a private address.');
    expect(webhook).toContain('value="https://10.0.0.1/x"');
    expect(page.form('/notices').fields).toMatchObject({ balance_threshold: '250' });
    expect(page.html).toMatch(/name="notify_on_expiry"[^>]* checked/);
    expect(page.html).not.toMatch(/name="notify_by_email"[^>]* checked/);
    expect(page.html.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(page.form('/members').fields.email).toBe('');
  });

  it('shows what concerns no single field above the form itself', async () => {
    account.site.services.on(testNotice, () => {
      throw new ServiceError('rate_limited', 'Too many test notifications. Try again in 10 minutes.');
    });
    const member = account.member();
    const page = await member.submit((await member.get(settings)).form('/notices/test'));
    expect(page.status).toBe(429);
    expect(page.html).toMatch(
      /action="[^"]*\/notices\/test"[^>]*>(<input[^>]*>)*<p class="problem[^>]*role="alert"[^>]*>Too many/,
    );
    expect(page.html.match(/role="alert"/g)).toHaveLength(1);
  });
});
