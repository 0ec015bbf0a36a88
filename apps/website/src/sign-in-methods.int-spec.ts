import { describeSignIn, ServiceError, type SignInMethods } from '#contracts';
import { KnownSignInMethods } from './data/cached-answers.js';
import { beginPath } from './fixtures/provider-sign-in.fixture.js';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const browsers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** What twenty home pages offer, when they offer the same. */
async function offers(account: ScriptedAccount): Promise<string[]> {
  const views = await Promise.all(Array.from({ length: 20 }, () => account.visitor().get('/', browsers)));
  return [...new Set(views.flatMap(({ html }) => html.match(/>Sign (?:up|in)</g) ?? []))];
}

describe('pages that lead to the sign-in', () => {
  const account = ScriptedAccount.forSuite();
  afterEach(() => jest.restoreAllMocks());

  /** Sets the methods as if billing had named them. Its answer is used for half a minute. */
  function know(methods: SignInMethods | null): void {
    jest.spyOn(account.site.provider(KnownSignInMethods), 'find').mockResolvedValue(methods);
  }

  it.each([
    ['offer to sign up', true],
    ['offer only to sign in where sign-up is closed, or billing does not answer', false],
  ])('%s, and ask billing about it once', async (_what, isOpen) => {
    const other = new ScriptedAccount();
    await other.begin();
    const { services } = other.site;
    services.on(describeSignIn, () => {
      if (isOpen) return { by_mail: true, sign_up_open: true };
      throw new ServiceError('unavailable', 'billing is away');
    });
    expect(await offers(other)).toEqual(isOpen ? ['>Sign in<', '>Sign up<'] : ['>Sign in<']);
    const page = await other.visitor().get('/account/sign-in');
    expect([page.status, page.form('/sign-in').fields.email]).toEqual([200, '']);
    expect(page.text.includes('New here?')).toBe(isOpen);
    expect(services.payloadsOf(describeSignIn)).toHaveLength(1);
    await other.site.stop();
  });

  it('say of the sign-up that it creates an account, or that it is by invitation', async () => {
    const visitor = account.visitor();
    const open = await visitor.get('/account/sign-up');
    const refused = await visitor.submit(open.form('/sign-up'), { email: 'nowhere' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('We create your account')]);
    know({ by_mail: true, sign_up_open: false });
    const closed = await visitor.get('/account/sign-up');
    expect([closed.text, closed.forms]).toEqual([expect.stringContaining('created by invitation'), []]);
  });

  it('promise no mail where no mail server is set up', async () => {
    know({ by_mail: false, sign_up_open: false });
    const page = await account.visitor().get('/account/sign-in');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('ask the operator')]);
    expect(page.text).not.toMatch(/email (you|address)|link and (a )?code/i);
    expect(page.forms.map(({ action }) => action)).not.toContain('/account/sign-in');
  });

  it('lead to no provider where none is configured', async () => {
    const visitor = account.visitor();
    expect((await visitor.get('/account/sign-in')).html).not.toContain(beginPath);
    for (const path of [beginPath, `${beginPath}/callback`]) {
      expect((await visitor.get(path)).status).toBe(404);
    }
  });
});
