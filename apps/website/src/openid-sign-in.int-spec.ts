import { signInWithIdentity } from '#contracts';
import { sha256 } from '#platform';
import { beginPath, jana, outcomes, ProviderSignInFixture } from './fixtures/provider-sign-in.fixture.js';

const discovery = '/.well-known/openid-configuration';

// A provider in trouble is given up after six seconds.
jest.setTimeout(30_000);

describe('signing in with an OpenID provider', () => {
  const fixture = ProviderSignInFixture.forSuite();
  const { provider } = fixture;

  it('is offered, and leads to the page that was wanted with a session of its own', async () => {
    const visitor = fixture.visitor();
    const { html } = await visitor.get('/account/sign-in?return_to=%2Faccount%2Fkeys');
    const [, link = ''] = /href="(\/account\/sign-in\/provider[^"]*)"/.exec(html) ?? [];
    const before = await outcomes('signed_in');
    const page = await fixture.signIn(visitor, link);
    expect([page.status, page.location]).toEqual([303, '/account/keys']);
    expect(fixture.identities()).toMatchObject([
      {
        email: 'jana@weitblick.example',
        issuer: provider.issuer,
        subject: 'person-1',
        session_hash: sha256(visitor.cookies.get('session') ?? ''),
      },
    ]);
    expect([...visitor.cookies.keys()].filter((name) => name.startsWith('oidc'))).toEqual([]);
    expect(await outcomes('signed_in')).toBe(before + 1);
  });

  it('asks userinfo for what the ID token does not say, only of the same person', async () => {
    expect((await fixture.signIn()).status).toBe(303);
    expect(provider.asked).not.toContain('/userinfo');
    fixture.forget();
    provider.claims = {};
    provider.userinfo = { email: 'told@weitblick.example', email_verified: true };
    expect((await fixture.signIn()).status).toBe(303);
    expect(fixture.identities()).toMatchObject([{ email: 'told@weitblick.example' }]);
    fixture.forget();
    provider.userinfo = { email: 'told@weitblick.example', email_verified: true, sub: 'person-2' };
    fixture.assertRefused(await fixture.signIn());
  });

  it.each([
    ['address_not_verified', { email: jana.email }, 'did not confirm that your email address is yours'],
    ['no_address', {}, 'gave us no email address'],
    ['address_refused', { ...jana, email: 'ｊana@weitblick.example' }, 'cannot be used here'],
  ])('fails for the reason %s, which is shown, counted and logged', async (reason, claims, words) => {
    const before = await outcomes(reason);
    provider.claims = claims;
    fixture.assertRefused(await fixture.signIn(), words);
    expect(await outcomes(reason)).toBe(before + 1);
    expect(fixture.logged).toMatchObject([{ reason, issuer: provider.issuer }]);
    fixture.assertNothingSecretLogged();
  });

  it('says why billing does not admit a person, and lets them try another account', async () => {
    for (const code of ['forbidden', 'conflict'] as const) {
      fixture.account.site.services.refuse(signInWithIdentity, code, `The words of billing about ${code}.`);
      const page = await fixture.signIn(fixture.visitor(), `${beginPath}?return_to=%2Faccount%2Fkeys`);
      expect([page.status, page.text]).toEqual([401, expect.stringContaining(`billing about ${code}`)]);
      expect(page.html).toContain(`${beginPath}?return_to=%2Faccount%2Fkeys&amp;account=another`);
    }
    expect(fixture.logged).toMatchObject([
      { reason: 'not_admitted', subject: 'person-1' },
      { reason: 'not_admitted' },
    ]);
  });

  it.each([
    ['access_denied', 401, 'You cancelled', 'declined'],
    // The browser's user can write anything there, so it is not a fault of ours that should alert an operator.
    ['invalid_scope', 401, 'contact the operator', 'provider_error'],
  ])('says what to do when the provider answers %s', async (error, status, words, reason) => {
    const { visitor, callback } = await fixture.begun();
    const described = encodeURIComponent(`jana@weitblick.example is blocked${'\n'}`);
    const state = new URL(callback, fixture.account.site.origin).searchParams.get('state') ?? '';
    const before = await outcomes(reason);
    const page = await visitor.get(
      `${beginPath}/callback?error=${error}&error_description=${described}&state=${state}`,
    );
    fixture.assertRefused(page, words, status);
    expect(page.html).toContain('href="/account/sign-in"');
    expect(await outcomes(reason)).toBe(before + 1);
    expect(fixture.logged).toMatchObject([
      { reason, provider_error: error, provider_description: '[address] is blocked ' },
    ]);
    fixture.assertNothingSecretLogged();
  });

  it('is finished in two tabs, in either order', async () => {
    const visitor = fixture.visitor();
    for (const isReversed of [false, true]) {
      const begun = [await fixture.begun(visitor), await fixture.begun(visitor)];
      for (const { callback } of isReversed ? begun.reverse() : begun) {
        expect((await visitor.get(callback)).status).toBe(303);
      }
    }
  });

  it('leads to the account when the browser goes back to a callback that has signed in', async () => {
    const { visitor, callback } = await fixture.begun();
    await visitor.get(callback);
    const member = fixture.account.member();
    const page = await member.get(callback);
    expect([page.status, page.location]).toEqual([303, '/account']);
    expect(fixture.identities()).toHaveLength(1);
  });

  it('forgives clocks that differ by less than a minute', async () => {
    const now = Math.floor(Date.now() / 1_000);
    provider.claims = { ...jana, exp: now - 45, nbf: now + 45, iat: now + 45 };
    expect((await fixture.signIn()).status).toBe(303);
    fixture.forget();
    provider.claims = { ...jana, exp: now - 75 };
    fixture.assertRefused(await fixture.signIn());
  });

  describe('with a provider in trouble', () => {
    it('shows a page with another way when it cannot be reached, and asks it again next time', async () => {
      provider.scripted.set(discovery, (response) => response.destroy());
      fixture.assertRefused(await fixture.visitor().get(beginPath), 'does not respond', 503);
      provider.scripted.clear();
      expect((await fixture.signIn()).status).toBe(303);
    });

    it('shows it within six seconds when one answer comes, and the next one drop by drop', async () => {
      const { visitor, callback } = await fixture.begun();
      provider.scripted.set('/keys', (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const drops = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(drops));
      });
      const startedAt = performance.now();
      fixture.assertRefused(await visitor.get(callback), 'does not respond', 503);
      expect(performance.now() - startedAt).toBeLessThan(6_000);
    });

    it('follows it to new endpoints: at the latest after ten minutes, at once after a failure', async () => {
      provider.scripted.set('/token', (response) => response.writeHead(404).end());
      fixture.assertRefused(await fixture.signIn());
      provider.scripted.clear();
      provider.asked.length = 0;
      expect((await fixture.signIn()).status).toBe(303);
      expect(provider.asked).toContain(discovery);
      provider.asked.length = 0;
      await fixture.signIn();
      expect(provider.asked).not.toContain(discovery);
      const now = performance.now.bind(performance);
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 601_000);
      await fixture.signIn();
      clock.mockRestore();
      expect(provider.asked).toContain(discovery);
    });
  });
});
