import { type OpenIdTestProvider } from '#testing';
import { beginPath, jana, ProviderSignInFixture } from './fixtures/provider-sign-in.fixture.js';

/** One tenant among many, which says nothing of whether an address is verified. */
describe('a provider like Microsoft Entra', () => {
  const fixture = ProviderSignInFixture.forSuite(
    { OIDC_TRUST_EMAIL_DOMAINS: 'Weitblick.example, weitblick.at,bücher.example' },
    '/5a7f5c2e-0b7e-4f2c-9a56-0b1f2f6f3c11/v2.0',
  );
  let provider: OpenIdTestProvider;
  beforeEach(() => ({ provider } = fixture));
  beforeEach(() => {
    provider.authMethods = ['client_secret_post', 'client_secret_basic'];
    provider.claims = { email: 'Jana@Weitblick.example' };
  });

  it('signs in with an address of a trusted domain, and asks for the profile too', async () => {
    const visitor = fixture.visitor();
    const asked = await visitor.get(beginPath);
    expect(new URL(asked.location).searchParams.get('scope')).toBe('openid email profile');
    expect((await visitor.get(await fixture.callbackOf(asked))).status).toBe(303);
    expect(fixture.identities()).toMatchObject([
      { email: 'jana@weitblick.example', issuer: provider.issuer, subject: 'person-1' },
    ]);
    expect(provider.asked).toContain('/userinfo');
  });

  it.each([
    ['another domain', { email: 'jana@gmail.example' }],
    ['a subdomain', { email: 'jana@dev.weitblick.example' }],
    ['a domain that ends alike', { email: 'jana@notweitblick.example' }],
    ['one that continues', { email: 'jana@weitblick.example.evil' }],
    [
      'an address that is explicitly not verified',
      { email: 'jana@weitblick.example', email_verified: false },
    ],
    ['the same as a text', { email: 'jana@weitblick.example', email_verified: 'false' }],
    // A guest's own address counts; the user name that the tenant made of it does not.
    ['a guest', { email: 'guest@gmail.example', preferred_username: 'guest@weitblick.example' }],
  ])('refuses %s', async (_what, claims) => {
    provider.claims = claims;
    fixture.assertRefused(await fixture.signIn(), 'did not confirm that your email address is yours');
  });

  it('believes an explicit no, wherever it is said', async () => {
    provider.userinfo = { email_verified: false };
    fixture.assertRefused(await fixture.signIn(), 'did not confirm that your email address is yours');
  });

  it('uses the user name as the address where there is no other, only of a trusted domain', async () => {
    provider.claims = { preferred_username: 'jana@weitblick.example' };
    expect((await fixture.signIn()).status).toBe(303);
    provider.claims = {};
    provider.userinfo = { preferred_username: 'jana@weitblick.at' };
    expect((await fixture.signIn()).status).toBe(303);
    expect(fixture.identities()).toMatchObject([
      { email: 'jana@weitblick.example' },
      { email: 'jana@weitblick.at' },
    ]);
    fixture.forget();
    for (const preferred_username of [
      'jana',
      'jana@gmail.example',
      'jana_gmail.example#EXT#@weitblick.example',
    ]) {
      provider.claims = { preferred_username };
      provider.userinfo = {};
      fixture.assertRefused(await fixture.signIn(), 'gave us no email address');
    }
    provider.claims = { preferred_username: 'ｊana@weitblick.example' };
    fixture.assertRefused(await fixture.signIn(), 'cannot be used here');
    provider.claims = { preferred_username: 'jana@weitblick.example', email_verified: false };
    fixture.assertRefused(await fixture.signIn(), 'did not confirm');
  });
});

describe('providers that differ in how they know their clients and sign', () => {
  const fixture = ProviderSignInFixture.forSuite();
  let provider: OpenIdTestProvider;
  beforeEach(() => ({ provider } = fixture));

  it.each([
    ['Basic only', ['client_secret_basic']],
    ['the body only', ['client_secret_post']],
    ['both', ['client_secret_post', 'client_secret_basic']],
    ['what they do not say, which means Basic', undefined],
  ] as const)('taking %s', async (_how, methods) => {
    provider.authMethods = methods;
    expect((await fixture.signIn()).status).toBe(303);
  });

  it('taking neither is reported to the operator', async () => {
    provider.metadata = { token_endpoint_auth_methods_supported: ['private_key_jwt'] };
    fixture.assertRefused(await fixture.visitor().get(beginPath), 'not set up correctly', 503);
    expect(fixture.logged).toMatchObject([
      { reason: 'misconfigured', problem: expect.stringContaining('neither client_secret_basic') as string },
    ]);
  });

  it('rotating keys: the new ones count at once, the old ones no longer', async () => {
    expect((await fixture.signIn()).status).toBe(303);
    for (let time = 0; time < 2; time += 1) {
      provider.rotateKeys();
      expect((await fixture.signIn()).status).toBe(303);
    }
  });

  it.each([
    ['of all tenants at once is refused: its issuer is a pattern', '/{tenantid}'],
    ['whose issuer is not the one of the configuration is refused', '/other'],
  ])('%s', async (_what, path) => {
    provider.metadata = { issuer: provider.issuer + path };
    fixture.assertRefused(await fixture.visitor().get(beginPath), 'not set up correctly', 503);
  });

  it('of which the address is verified beside another one: that one counts for nothing', async () => {
    provider.claims = { email: 'jana@weitblick.example' };
    provider.userinfo = { email: 'mallory@evil.example', email_verified: true };
    fixture.assertRefused(await fixture.signIn(), 'did not confirm that your email address is yours');
    provider.userinfo = jana;
    expect((await fixture.signIn()).status).toBe(303);
  });
});
