import { changeNotices, getNotices, inviteMember, ServiceError, testNotice } from '@app/contracts';
import { type ShownPage } from '@app/testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

/** The input or list with this name in the form that is sent there, with what comes before it. */
function fieldIn(page: ShownPage, action: string, name: string): string {
  const [, form = ''] =
    new RegExp(`<form [^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(page.html) ?? [];
  const [field = ''] =
    new RegExp(`<div class="field">(?:(?!<div).)*name="${name}"(?:(?!<div).)*</div>`, 's').exec(form) ?? [];
  return field;
}

describe('a form that is not accepted', () => {
  const account = ScriptedAccount.forSuite();

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
    [settings, '/sign-in', 'session_hours', '721', 'Enter a whole number from 1 to 720'],
    [settings, '/sign-in', 'session_hours', '-1', 'Enter a whole number from 1 to 720'],
    [settings, '/sign-in', 'session_hours', '1.5', 'Enter a whole number from 1 to 720'],
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
    account.api.services.on(changeNotices, () => {
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
    account.api.services.on(testNotice, () => {
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

  it('is named at the top of a page that no longer has the form', async () => {
    const member = account.member();
    const form = (await member.get(settings)).form('/notices/test');
    account.api.services.on(getNotices, () => ({
      balance_threshold: null,
      notify_on_expiry: true,
      notify_on_payment: true,
      notify_by_email: true,
      webhook_url: null,
      webhook_secret: null,
    }));
    account.api.services.on(testNotice, () => {
      throw new ServiceError('conflict', 'The account has no webhook.');
    });
    const page = await member.submit(form);
    expect(page.status).toBe(409);
    expect(page.html).toMatch(/role="alert">The account has no webhook\./);
    expect(page.html.match(/role="alert"/g)).toHaveLength(1);
  });

  it('keeps the choice of a list', async () => {
    account.api.services.on(inviteMember, () => {
      throw new ServiceError('conflict', 'The account has 50 members already.');
    });
    const member = account.member();
    const page = await member.submit((await member.get(settings)).form('/members'), {
      email: 'tom@weitblick.example',
      role: 'owner',
    });
    expect([page.status, page.text]).toEqual([
      409,
      expect.stringContaining('The account has 50 members already.'),
    ]);
    expect(page.html).toMatch(/<option value="owner" selected/);
    expect(page.form('/members').fields.email).toBe('tom@weitblick.example');
  });
});
