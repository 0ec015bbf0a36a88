import { changeNotices, getSession, type SessionView, testNotice } from '#contracts';
import { type PageForm, type PageVisitor, type ShownPage } from '#testing';
import { v7 as newId } from 'uuid';
import { returnPath } from './paths/page-paths.js';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

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
    expect(forms.length).toBeGreaterThanOrEqual(22);
  });

  /** No more than the session is looked up for it. */
  async function assertRefused(
    fieldsOf: (form: PageForm) => Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<void> {
    for (const form of forms) {
      const page = await member.post(form.action, fieldsOf(form), headers);
      expect([form.action, page.status]).toEqual([form.action, 403]);
      expect(page.text).toContain('Nothing was changed');
    }
    const { received } = account.site.services;
    expect(received.filter(({ pattern }) => pattern !== getSession.pattern)).toEqual([]);
  }

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

  it('without the token of its page, or with that of another session, is refused', async () => {
    const other = (await account.member().get('/account')).form('/sign-out').fields.form_token ?? '';
    account.script();
    await assertRefused(({ fields: { form_token: _token, ...fields } }) => fields);
    for (const form_token of ['', other]) await assertRefused(({ fields }) => ({ ...fields, form_token }));
  });

  it('is accepted from a browser that sends only a Referer', async () => {
    const { action, fields } = (await member.get('/account/keys')).form('/off');
    const page = await member.post(action, { ...fields }, { referer: `${account.site.origin}/account/keys` });
    expect([page.status, page.location]).toEqual([303, '/account/keys?done=key-off']);
  });

  it('that arrives after the session has ended leads through the sign-in to its page, which says so', async () => {
    const visitor = account.visitor();
    for (const { action, fields } of forms) {
      const page = await visitor.post(action, { ...fields }, { origin: account.site.origin });
      const wanted = new URLSearchParams(page.location?.split('?')[1]).get('return_to') ?? '/account';
      expect([action, page.status]).toEqual([action, 303]);
      expect([action, (await member.get(returnPath(wanted))).status]).toEqual([action, 200]);
    }
    const back = await member.get('/account/settings?done=not-saved');
    expect(back.text).toContain('nothing was changed. Send it again.');
  });

  it('is there again, as it was typed, after the same person has signed in, once', async () => {
    const session = account.session('owner');
    account.site.services.on(getSession, () => session);
    const person = account.member();
    const form = (await person.get('/account/settings')).form('/settings/members');
    account.site.services.refuse(getSession, 'unauthorized', 'There is no such session.');
    const sent = await person.submit(form, { email: 'tom@weitblick.example', role: 'owner', code: '123456' });
    const wanted = returnPath(new URLSearchParams(sent.location.split('?')[1]).get('return_to') ?? '');
    expect([sent.status, wanted]).toEqual([303, '/account/settings?done=not-saved']);
    const kept = person.cookies.get('kept-form') ?? '';
    expect(Buffer.from(kept, 'base64url').toString('latin1')).not.toMatch(/tom|123456/);
    const emailShown = async (view: SessionView): Promise<string | undefined> => {
      account.site.services.on(getSession, () => view);
      person.cookies.set('kept-form', kept);
      return (await person.get(wanted)).form('/settings/members').fields.email;
    };
    expect(await emailShown({ ...session, person_id: newId() })).toBe('');
    expect(await emailShown({ ...session, account: { id: newId(), name: 'Other' } })).toBe('');
    expect(await emailShown(session)).toBe('tom@weitblick.example');
    expect(person.cookies.has('kept-form')).toBe(false);
    expect((await person.get('/account/settings')).form('/settings/members').fields.email).toBe('');
  });

  it('of another type than browsers send is refused', async () => {
    const { origin } = account.site;
    const cookie = `session=${member.cookies.get('session')}`;
    const sent = {
      method: 'POST',
      headers: { origin, cookie, 'content-type': 'application/json' },
      body: '{}',
    };
    expect((await fetch(`${origin}/account/keys`, sent)).status).toBe(415);
  });

  it('of owners is refused to a member, whatever page it is from', async () => {
    const plain = account.member('member');
    const { form_token = '' } = (await plain.get('/account')).form('/sign-out').fields;
    const ofOwners = forms.filter(({ action }) =>
      /\/(buy|members.*|notices.*|settings\/(account|close))$/.test(action),
    );
    expect(ofOwners.length).toBeGreaterThan(6);
    for (const { action, fields } of ofOwners) {
      const page = await plain.post(action, { ...fields, form_token });
      expect([action, page.status]).toEqual([action, 403]);
      expect(page.text).toContain('Only owners');
    }
    expect((await plain.get('/account/settings')).html).not.toContain('/settings/members');
    expect((await plain.get('/account/buy')).html).not.toContain('name="pack"');
  });
});

/** The input with this name in the form that is sent there, with what comes before it. */
function fieldIn(page: ShownPage, action: string, name: string): string {
  const [, form = ''] =
    new RegExp(`<form [^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(page.html) ?? [];
  const [field = ''] =
    new RegExp(`<div class="field">(?:(?!<div).)*name="${name}"(?:(?!<div).)*</div>`, 's').exec(form) ?? [];
  return field.replaceAll('&#39;', "'");
}

describe('a form that is not accepted', () => {
  const settings = '/account/settings';

  it.each([
    ['/account/keys', '/account/keys', 'name', 'x'.repeat(101), 'Enter a name of 1 to 100 characters.'],
    ['/account/keys', '/change', 'expires_at', '2020-01-01', 'Choose today or a later day.'],
    ['/account/keys', '/change', 'expires_at', 'tomorrow', 'Enter a day, or leave this empty.'],
    ['/account/keys', '/change', 'monthly_limit', '0', 'Enter a number from 1 to'],
    ['/account/keys', '/delete', 'name', 'Krawler', "The name doesn't match."],
    [settings, '/members', 'email', 'jana at weitblick', 'Enter a valid email address.'],
    [settings, '/members', 'email', 'ｃfo@corp.example', 'This address has characters that stand for others'],
    [settings, '/settings/account', 'name', 'x'.repeat(201), 'Enter a name of 1 to 200 characters.'],
    [settings, '/notices', 'balance_threshold', '12 or so', 'Enter a whole number'],
  ])(
    'of %s, to ...%s: %s = %j is kept, with the reason beside it',
    async (path, end, name, typed, reason) => {
      const member = account.member();
      const form = (await member.get(path)).form(end);
      const page = await member.submit(form, { [name]: typed });
      expect(page.status).toBe(400);
      const field = fieldIn(page, form.action, name);
      expect(field).toContain(reason);
      expect(field).toMatch(/aria-invalid="true"[^>]*autofocus/);
      expect(field).toContain(`value="${typed}"`);
      expect(field).not.toContain('type="number"');
    },
  );

  it('keeps every other field of it too, and the other forms of the page as they were', async () => {
    const reason = 'points to a private address';
    account.site.services.refuse(changeNotices, 'invalid_request', reason, {
      details: { webhook_url: [reason] },
    });
    const member = account.member();
    const { action, fields } = (await member.get(settings)).form('/notices');
    const ticked = Object.entries(fields).filter(([name]) => name !== 'notify_by_email');
    const filled = { balance_threshold: '250', webhook_url: 'https://10.0.0.1/x' };
    const page = await member.post(action, { ...Object.fromEntries(ticked), ...filled });
    expect([page.status, page.form('/notices').fields]).toMatchObject([400, filled]);
    expect(fieldIn(page, action, 'webhook_url')).toContain('Points to a private address.');
    expect(page.html).toMatch(/name="notify_on_expiry"[^>]* checked/);
    expect(page.html).not.toMatch(/name="notify_by_email"[^>]* checked/);
    expect(page.html.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(page.form('/members').fields.email).toBe('');
  });

  it('shows what concerns no single field at the top of the page', async () => {
    account.site.services.refuse(
      testNotice,
      'rate_limited',
      'Too many test notifications. Try again in 10 minutes.',
    );
    const member = account.member();
    const page = await member.submit((await member.get(settings)).form('/notices/test'));
    expect(page.status).toBe(429);
    expect(page.html).toMatch(/<main[^>]*><p [^>]*role="alert"[^>]* autofocus>Too many/);
    expect(page.html.match(/role="alert"/g)).toHaveLength(1);
  });
});
