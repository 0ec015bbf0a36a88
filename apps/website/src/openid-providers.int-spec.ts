import { beginPath, ProviderSignInFixture } from './fixtures/provider-sign-in.fixture.js';
import { IdentityRefusal } from './openid/identity-refusal.js';
import { type Claims, verifiedAddress } from './openid/verified-address.js';

/** The address, or why there is none. */
function verified(idToken: Claims, userinfo: Claims, trustedDomains: readonly string[] = []): string {
  try {
    return verifiedAddress(idToken, userinfo, trustedDomains);
  } catch (error) {
    if (error instanceof IdentityRefusal) return error.reason;
    throw error;
  }
}

describe('the address that a provider vouches for', () => {
  const [jana, yes, no] = ['jana@weitblick.example', { email_verified: true }, { email_verified: false }];
  const other = 'mallory@evil.example';

  it.each<[string, Claims, Claims, string]>([
    ['verified', { email: 'Jana@Weitblick.example', ...yes }, {}, jana],
    ['verified, in a text', { email: jana, email_verified: 'true' }, {}, jana],
    ['verified by userinfo', { email: jana }, { email: jana, ...yes }, jana],
    ['only in userinfo', {}, { email: jana, ...yes }, jana],
    ['verified beside another one', { email: jana }, { email: other, ...yes }, 'address_not_verified'],
    ['not verified', { email: jana, ...no }, {}, 'address_not_verified'],
    ['not verified, as userinfo says', { email: jana, ...yes }, no, 'address_not_verified'],
    ['of which nothing is said', { email: jana }, {}, 'address_not_verified'],
    ['of which something else is said', { email: jana, email_verified: 1 }, {}, 'address_not_verified'],
    ['missing', { preferred_username: jana }, {}, 'no_address'],
    ...['ｄemo@example.com', 'cfo@corp。example.com', 'cfo@cＯrp.example', 'no address'].flatMap(
      (email): [string, Claims, Claims, string][] => [
        [`${email} in the ID token`, { email, ...yes }, {}, 'address_refused'],
        [`${email} in userinfo`, {}, { email, ...yes }, 'address_refused'],
      ],
    ),
  ])('%s', (_what, idToken, userinfo, expected) => {
    expect(verified(idToken, userinfo)).toBe(expected);
  });

  it.each<[Claims, string]>([
    [{ email: jana }, jana],
    [{ email: 'jana@dev.weitblick.example' }, 'address_not_verified'],
    [{ email: 'jana@notweitblick.example' }, 'address_not_verified'],
    [{ email: 'jana@weitblick.example.evil' }, 'address_not_verified'],
    [{ email: jana, ...no }, 'address_not_verified'],
    [{ preferred_username: jana }, jana],
    [{ preferred_username: jana, ...no }, 'address_not_verified'],
    // A guest's own address counts; the user name that the tenant made of it does not.
    [{ email: 'guest@gmail.example', preferred_username: jana }, 'address_not_verified'],
    [{ preferred_username: 'jana@gmail.example' }, 'no_address'],
    [{ preferred_username: 'jana_gmail.example#EXT#@weitblick.example' }, 'no_address'],
    [{ preferred_username: 'ｊana@weitblick.example' }, 'address_refused'],
  ])('where weitblick.example is trusted, of %j: %s', (claims, expected) => {
    expect(verified(claims, {}, ['weitblick.example'])).toBe(expected);
    expect(verified({}, claims, ['weitblick.example'])).toBe(expected);
  });
});

describe('one tenant among many, like one of Microsoft Entra,', () => {
  const domains = { OIDC_TRUST_EMAIL_DOMAINS: 'weitblick.at,bücher.example' };
  const fixture = ProviderSignInFixture.forSuite(domains, '/5a7f5c2e-0b7e-4f2c-9a56-0b1f2f6f3c11/v2.0');

  const { provider } = fixture;

  it('is asked for the profile too', async () => {
    provider.authMethods = ['client_secret_post', 'client_secret_basic'];
    provider.claims = {};
    provider.userinfo = { preferred_username: 'Jana@Weitblick.at' };
    const visitor = fixture.visitor();
    const asked = await visitor.get(beginPath);
    expect(new URL(asked.location).searchParams.get('scope')).toBe('openid email profile');
    expect((await visitor.get(await fixture.callbackOf(asked))).status).toBe(303);
    const { issuer } = provider;
    expect(fixture.identities()).toMatchObject([{ email: 'jana@weitblick.at', issuer, subject: 'person-1' }]);
  });
});

describe('providers that differ in how they know their clients and sign', () => {
  const fixture = ProviderSignInFixture.forSuite();
  const { provider } = fixture;

  it.each([
    ['Basic only', ['client_secret_basic']],
    ['the body only', ['client_secret_post']],
    ['what they do not say, which means Basic', undefined],
  ] as const)('taking %s', async (_how, methods) => {
    provider.authMethods = methods;
    expect((await fixture.signIn()).status).toBe(303);
  });

  it('rotating keys: the new ones count at once, the old ones no longer', async () => {
    for (let time = 0; time < 3; time += 1) {
      expect((await fixture.signIn()).status).toBe(303);
      provider.rotateKeys();
    }
  });

  it('taking no secret, of all tenants at once, or with another issuer are reported to the operator', async () => {
    for (const metadata of [
      { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      { issuer: `${provider.issuer}/{tenantid}` },
      { issuer: `${provider.issuer}/other` },
    ]) {
      fixture.reset();
      provider.metadata = metadata;
      fixture.assertRefused(await fixture.visitor().get(beginPath), 'not set up correctly', 503);
      expect(fixture.logged).toMatchObject([{ reason: 'misconfigured' }]);
    }
  });
});
