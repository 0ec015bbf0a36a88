import { ServiceError, signInWithIdentity } from '@app/contracts';
import { sha256 } from '@app/platform';
import { OpenIdTestProvider, type PageVisitor, type ShownPage } from '@app/testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const begin = '/account/sign-in/provider';

describe('signing in with an OpenID provider', () => {
  let provider: OpenIdTestProvider;
  let account: ScriptedAccount;
  beforeAll(async () => {
    provider = await OpenIdTestProvider.start();
    account = await ScriptedAccount.start({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: OpenIdTestProvider.clientId,
      OIDC_CLIENT_SECRET: OpenIdTestProvider.clientSecret,
    });
  });
  afterAll(async () => {
    await account.stop();
    await provider.stop();
  });
  beforeEach(() => {
    provider.claims = { email: 'jana@weitblick.example', email_verified: true };
    provider.userinfo = {};
    account.script();
    account.api.services.on(signInWithIdentity, () => account.session('owner'));
  });

  /** What the provider sends the browser back to. */
  async function callbackOf(asked: ShownPage): Promise<string> {
    const response = await fetch(asked.location, { redirect: 'manual' });
    const callback = new URL(response.headers.get('location') ?? '');
    return callback.pathname + callback.search;
  }

  async function signIn(visitor: PageVisitor, path = begin): Promise<ShownPage> {
    return visitor.get(await callbackOf(await visitor.get(path)));
  }

  function identities(): unknown[] {
    return account.api.services.payloadsOf(signInWithIdentity);
  }

  async function assertRefused(page: ShownPage, words: string): Promise<void> {
    expect([page.status, page.text]).toEqual([401, expect.stringContaining(words)]);
    expect(identities()).toEqual([]);
    await Promise.resolve();
  }

  it('is offered, and leads to the page that was wanted with a session of its own', async () => {
    const visitor = account.visitor();
    const { html } = await visitor.get('/account/sign-in?return_to=%2Faccount%2Fkeys');
    const [, link = ''] = /href="(\/account\/sign-in\/provider[^"]*)"/.exec(html) ?? [];
    const page = await signIn(visitor, link);
    expect([page.status, page.location]).toEqual([303, '/account/keys']);
    expect(identities()).toMatchObject([
      {
        email: 'jana@weitblick.example',
        issuer: provider.issuer,
        subject: 'person-1',
        session_hash: sha256(visitor.cookies.get('session') ?? ''),
      },
    ]);
    expect(visitor.cookies.has('oidc')).toBe(false);
  });

  it('takes the address from where the provider tells it', async () => {
    provider.claims = {};
    provider.userinfo = { email: 'told@weitblick.example', email_verified: true };
    expect((await signIn(account.visitor())).status).toBe(303);
    expect(identities()).toMatchObject([{ email: 'told@weitblick.example' }]);
  });

  it.each([
    ['has not verified the address', { email: 'jana@weitblick.example', email_verified: false }],
    ['does not say that it has', { email: 'jana@weitblick.example' }],
    ['says so in a text', { email: 'jana@weitblick.example', email_verified: 'true' }],
    ['answers another request', { email: 'jana@weitblick.example', email_verified: true, nonce: 'other' }],
    ['means another client', { email: 'jana@weitblick.example', email_verified: true, aud: 'other' }],
    [
      'is another one',
      { email: 'jana@weitblick.example', email_verified: true, iss: 'https://evil.example' },
    ],
    ['answered long ago', { email: 'jana@weitblick.example', email_verified: true, exp: 1_000_000_000 }],
  ])('fails when the provider %s', async (_why, claims) => {
    provider.claims = claims;
    await assertRefused(await signIn(account.visitor()), 'did not confirm who you are');
  });

  it('fails when the address that it tells only looks like another one', async () => {
    for (const email of ['ｃfo@corp.example', 'cfo@corp。example.com', 'no address']) {
      provider.claims = { email, email_verified: true };
      await assertRefused(await signIn(account.visitor()), 'cannot be used here');
    }
  });

  it('fails with another state, with a code that was used, and with an error of the provider', async () => {
    const visitor = account.visitor();
    const callback = await callbackOf(await visitor.get(begin));
    await assertRefused(await visitor.get(callback.replace(/state=[^&]+/, 'state=other')), 'did not confirm');
    await visitor.get(begin);
    await assertRefused(
      await visitor.get(`${begin}/callback?error=access_denied&state=x`),
      'did not confirm',
    );
  });

  it('counts once, and only in the browser in which it began', async () => {
    const visitor = account.visitor();
    const callback = await callbackOf(await visitor.get(begin));
    await assertRefused(await account.visitor().get(callback), 'began in another browser');
    const other = account.visitor();
    await other.get(begin);
    await assertRefused(await other.get(callback), 'did not confirm');
    expect((await visitor.get(callback)).status).toBe(303);
    account.api.services.received.length = 0;
    await assertRefused(await visitor.get(callback), 'began in another browser');
  });

  it('keeps its secrets where neither the browser nor anybody else can read or change them', async () => {
    const visitor = account.visitor();
    const asked = await visitor.get(begin);
    const cookie = visitor.cookies.get('oidc') ?? '';
    const state = new URL(asked.location).searchParams.get('state') ?? '';
    expect(Buffer.from(cookie, 'base64url').toString('latin1')).not.toContain(state);
    const callback = await callbackOf(asked);
    const middle = Math.floor(cookie.length / 2);
    const changed = cookie.charAt(middle) === 'A' ? 'B' : 'A';
    visitor.cookies.set('oidc', cookie.slice(0, middle) + changed + cookie.slice(middle + 1));
    await assertRefused(await visitor.get(callback), 'began in another browser');
  });

  it('leads to no other site', async () => {
    const page = await signIn(
      account.visitor(),
      `${begin}?return_to=${encodeURIComponent('//evil.example')}`,
    );
    expect(page.location).toBe('/account');
  });

  it('tells who is no member', async () => {
    account.api.services.on(signInWithIdentity, () => {
      throw new ServiceError('forbidden', 'no member');
    });
    const page = await signIn(account.visitor());
    expect([page.status, page.text]).toEqual([401, expect.stringContaining('not a member')]);
  });
});

it('without a provider there is nothing to sign in with but mail', async () => {
  const account = await ScriptedAccount.start();
  const visitor = account.visitor();
  expect((await visitor.get('/account/sign-in')).html).not.toContain(begin);
  for (const path of [begin, `${begin}/callback`]) expect((await visitor.get(path)).status).toBe(404);
  await account.stop();
});

it('a provider that does not answer is asked again next time', async () => {
  const provider = await OpenIdTestProvider.start();
  const { issuer } = provider;
  await provider.stop();
  const account = await ScriptedAccount.start({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: OpenIdTestProvider.clientId,
    OIDC_CLIENT_SECRET: OpenIdTestProvider.clientSecret,
  });
  const page = await account.visitor().get(begin);
  expect([page.status, page.text]).toEqual([503, expect.stringContaining('does not answer')]);
  await account.stop();
});
