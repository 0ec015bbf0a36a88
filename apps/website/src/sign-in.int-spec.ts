import {
  endSession,
  finishSignInByCode,
  finishSignInByLink,
  requestSignIn,
  describeSignInLink,
} from '#contracts';
import { newToken, sha256 } from '#platform';
import { type PageVisitor, type ShownPage } from '#testing';
import { NetworkLimits } from './network-limits.js';
import { returnPath } from './paths/page-paths.js';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

describe('signing in by mail', () => {
  const account = ScriptedAccount.forSuite({ TRUST_PROXY: '1' });
  beforeEach(() => {
    account.site.services.on(requestSignIn, () => ({ valid_for_seconds: 600 }));
    account.site.services.on(finishSignInByCode, () => account.session('owner'));
    account.site.services.on(finishSignInByLink, () => account.session('owner'));
    account.site.services.on(describeSignInLink, () => ({
      email: 'jana@weitblick.example',
      account: 'Weitblick',
    }));
  });

  async function askMail(visitor: PageVisitor, email: string, path = '/account/sign-in'): Promise<ShownPage> {
    return visitor.submit((await visitor.get(path)).form('/sign-in'), { email });
  }

  async function enterCode(visitor: PageVisitor, asked: ShownPage, code: string): Promise<ShownPage> {
    return visitor.submit((await visitor.follow(asked)).form('/code'), { code });
  }

  /** Counts attempts as if the network had made them before. */
  async function use(what: 'signInMails' | 'signInCodes', network: string, times: number): Promise<void> {
    const limits = account.site.provider(NetworkLimits);
    await Promise.all(Array.from({ length: times }, () => limits.admit(what, network)));
  }

  it('leads from the address to the code, and to the page that was wanted', async () => {
    const visitor = account.visitor();
    const wanted = await visitor.get('/account/usage?days=7');
    const asked = await askMail(visitor, ' jana@weitblick.example ', wanted.location);
    const [request] = account.site.services.payloadsOf(requestSignIn);
    expect(request).toMatchObject({
      email: 'jana@weitblick.example',
      pages_url: `${account.site.origin}/account`,
    });
    const codePage = await visitor.follow(asked);
    expect(codePage.text).toContain('jana@weitblick.example');
    const done = await visitor.submit(codePage.form('/code'), { code: '123 456' });
    expect([done.status, done.location]).toEqual([303, '/account/usage?days=7']);
    const [finish] = account.site.services.payloadsOf(finishSignInByCode);
    expect(finish).toMatchObject({ code: '123456', browser_hash: request?.browser_hash });
    expect(finish?.session_hash).toBe(sha256(visitor.cookies.get('session') ?? ''));
    expect(visitor.cookies.has('sign-in')).toBe(false);
  });

  it('is the very same for every address: page, headers and cookies', async () => {
    const pages = await Promise.all(
      ['known@x.example', 'other@x.example'].map(async (email) => {
        const visitor = account.visitor();
        const asked = await askMail(visitor, email);
        const shown = await visitor.follow(asked);
        const { return_to } = shown.form('/code').fields;
        return [asked.status, asked.location, shown.text.replace(email, ''), return_to];
      }),
    );
    expect(pages[0]).toEqual(pages[1]);
  });

  it('says that a code is wrong without a word why', async () => {
    account.site.services.refuse(finishSignInByCode, 'unauthorized', 'a reason that nobody sees');
    const visitor = account.visitor();
    const asked = await askMail(visitor, 'jana@weitblick.example');
    for (const code of ['000000', '12345', 'abcdef']) {
      const page = await enterCode(visitor, asked, code);
      expect([page.status, visitor.cookies.has('session')]).toEqual([401, false]);
      expect(page.text).toContain('That code is wrong or has expired');
      expect(page.text).not.toContain('a reason');
    }
  });

  it('opens a link without using it: only its button does', async () => {
    const visitor = account.visitor();
    const planted = newToken();
    visitor.cookies.set('session', planted);
    const page = await visitor.get(`/account/sign-in/link?token=${newToken()}`);
    expect(account.site.services.payloadsOf(finishSignInByLink)).toEqual([]);
    const done = await visitor.submit(page.form('/link'));
    expect([done.status, done.location]).toEqual([303, '/account']);
    // Never a session that was in the browser before.
    expect(visitor.cookies.get('session')).not.toBe(planted);
    expect(page.text).toContain('Signs in jana@weitblick.example Account Weitblick');
    expect(page.text).not.toMatch(/mail|minutes/);
    const old = await account.visitor().get('/account/sign-in/link?token=old');
    expect(old.status).toBe(401);
    expect(old.text).toContain('in an email is valid for 10 minutes, a link from an operator for an hour');
  });

  it('says nothing of a link that is unknown, used or old, and counts it as an attempt', async () => {
    account.site.services.refuse(describeSignInLink, 'unauthorized', 'old');
    const network = '198.51.100.9';
    const open = () =>
      account.visitor().get(`/account/sign-in/link?token=${newToken()}`, { 'x-forwarded-for': network });
    await use('signInCodes', network, 59);
    expect([(await open()).status, (await open()).status]).toEqual([401, 429]);
  });

  it('needs the form of this very browser', async () => {
    const [one, other] = [account.visitor(), account.visitor()];
    const form = (await one.get('/account/sign-in')).form('/sign-in');
    await other.get('/account/sign-in');
    for (const visitor of [account.visitor(), other]) {
      expect((await visitor.submit(form, { email: 'jana@weitblick.example' })).status).toBe(403);
    }
    expect(account.site.services.payloadsOf(requestSignIn)).toEqual([]);
  });

  it.each([
    'https://evil.example/account',
    '//evil.example/account',
    '/\\evil.example/account',
    '/account/../../evil',
    '/accounting',
    '/docs',
    '/account/sign-out',
    'javascript:alert(1)',
    '/account\n/x',
    `/account/${'x'.repeat(600)}`,
  ])('leads on to no other place: %j', (returnTo) => {
    expect(returnPath(returnTo)).toBe('/account');
  });

  it('lets a network ask for some mails, and no more', async () => {
    const visitor = account.visitor();
    const { action, fields } = (await visitor.get('/account/sign-in')).form('/sign-in');
    const ask = async (network: string): Promise<number> => {
      const headers = { origin: account.site.origin, 'x-forwarded-for': network };
      return (await visitor.post(action, { ...fields, email: 'not an address' }, headers)).status;
    };
    await use('signInMails', '198.51.100.1', 29);
    expect([await ask('198.51.100.1'), await ask('198.51.100.1'), await ask('198.51.100.2')]).toEqual([
      400, 429, 400,
    ]);
  });

  it('counts by IPv4 address, /64, /56 and /48, the larger with higher limits', async () => {
    const limits = account.site.provider(NetworkLimits);
    const admitted = async (count: number, addressOf: (index: string) => string): Promise<number> => {
      const attempts = Array.from({ length: count }, (_, index) =>
        limits.admit('signInMails', addressOf(index.toString(16))),
      );
      return (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled').length;
    };
    expect(await admitted(50, () => '192.0.2.1')).toBe(30);
    expect(await admitted(50, (index) => `2001:db8:1:1::${index}`)).toBe(30);
    expect(await admitted(200, (index) => `2001:db8:2:${index}::1`)).toBe(120);
    expect(await admitted(600, (index) => `2001:db8:3:${index}0::1`)).toBe(480);
    expect(await admitted(500, (index) => `2001:db8:1${index}::1`)).toBe(500);
  });

  it('counts attempts of a network that fail, and none that succeed', async () => {
    const network = { origin: account.site.origin, 'x-forwarded-for': '198.51.100.7' };
    const visitor = account.visitor();
    const signIn = async (): Promise<number> => {
      const { form_token = '' } = (await visitor.get(`/account/sign-in/link?token=${newToken()}`)).form(
        '/link',
      ).fields;
      return (await visitor.post('/account/sign-in/link', { form_token, token: newToken() }, network)).status;
    };
    await use('signInCodes', '198.51.100.7', 58);
    for (let count = 0; count < 4; count += 1) expect(await signIn()).toBe(303);
    account.site.services.refuse(finishSignInByLink, 'unauthorized', 'old');
    expect([await signIn(), await signIn(), await signIn()]).toEqual([401, 401, 429]);
  });

  it('says so where no mail server is set up, also when the form is sent', async () => {
    const words = 'Sign-in by email is not available here. Ask the operator of this service for a link.';
    account.site.services.refuse(requestSignIn, 'unavailable', words);
    const page = await askMail(account.visitor(), 'jana@weitblick.example');
    expect([page.status, page.text]).toEqual([503, expect.stringContaining(words)]);
  });

  it('ends with signing out, in billing and in the browser', async () => {
    account.site.services.on(endSession, () => ({ ended: true }));
    const member = account.member();
    const session_hash = sha256(member.cookies.get('session') ?? '');
    const page = await member.submit((await member.get('/account')).form('/sign-out'));
    expect(page.location).toBe('/account/sign-in?done=signed-out');
    expect(account.site.services.payloadsOf(endSession)).toEqual([{ session_hash }]);
    expect(member.cookies.has('session')).toBe(false);
  });
});
