import { newToken } from '#platform';
import { beginPath, jana, outcomes, ProviderSignInFixture } from './fixtures/provider-sign-in.fixture.js';

/** Each attack on the sign-in with a provider, by the name that the field has for it. */
describe('attacks on the sign-in with an OpenID provider', () => {
  const fixture = ProviderSignInFixture.forSuite();
  const { provider } = fixture;

  function parameter(callback: string, name: string): string {
    return new URL(callback, fixture.account.site.origin).searchParams.get(name) ?? '';
  }

  it.each([
    ['replayed from another sign-in (nonce)', { nonce: 'other' }],
    ['without a nonce', { nonce: undefined }],
    ['for another client (audience)', { aud: 'other' }],
    ['for several clients, given to another one', { aud: ['creator search:1', 'other'], azp: 'other' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has ended', { exp: 1_000_000_000 }],
    ['that does not count yet', { nbf: 4_000_000_000 }],
    ['without a person', { sub: undefined }],
    ['of a person with too long a name', { sub: 'x'.repeat(256) }],
  ])('an ID token %s', async (_what, claims) => {
    const before = await outcomes('answer_refused');
    provider.claims = { ...jana, ...claims };
    fixture.assertRefused(await fixture.signIn());
    expect(await outcomes('answer_refused')).toBe(before + 1);
  });

  it.each(['another key', 'none', 'HS256'] as const)('an ID token signed by %s', async (signedBy) => {
    // Also where the metadata allow it.
    provider.metadata = { id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'] };
    expect((await fixture.signIn()).status).toBe(303);
    fixture.forget();
    provider.signedBy = signedBy;
    fixture.assertRefused(await fixture.signIn());
    expect(fixture.logged).toMatchObject([{ reason: 'answer_refused', issuer: provider.issuer }]);
  });

  it('code injection: the code of another browser is not its own (PKCE), also where the provider does not check', async () => {
    for (const ignoresPkce of [false, true]) {
      provider.ignoresPkce = ignoresPkce;
      const { callback: stolen } = await fixture.begun();
      const { visitor, callback } = await fixture.begun();
      const injected = callback.replace(/code=[^&]+/, `code=${parameter(stolen, 'code')}`);
      fixture.assertRefused(await visitor.get(injected));
    }
    expect(fixture.logged.map(({ reason }) => reason)).toEqual(['answer_refused', 'answer_refused']);
  });

  it('login CSRF: the callback of another browser does not sign in', async () => {
    const { callback } = await fixture.begun();
    const before = await outcomes('unknown_attempt');
    fixture.assertRefused(await fixture.visitor().get(callback), 'started in another browser');
    const { visitor } = await fixture.begun();
    fixture.assertRefused(await visitor.get(callback), 'started in another browser');
    // A cookie that looks like a session is none.
    visitor.cookies.set('session', newToken());
    fixture.assertRefused(await visitor.get(callback), 'started in another browser');
    expect(await outcomes('unknown_attempt')).toBe(before + 3);
    expect(fixture.logged.map(({ reason }) => reason)).toEqual(Array(3).fill('unknown_attempt'));
  });

  it('state fixation: a state that was not made here, twice or none', async () => {
    const { visitor, callback } = await fixture.begun();
    for (const changed of [
      callback.replace(/state=[^&]+/, 'state=other'),
      callback.replace(/&state=[^&]+/, ''),
      `${beginPath}/callback`,
      `${beginPath}/callback?state=`,
    ]) {
      fixture.assertRefused(await visitor.get(changed), 'started in another browser');
    }
    fixture.assertRefused(await visitor.get(`${callback}&state=other`));
  });

  it('mix-up: the answer of another issuer (RFC 9207), or none where the provider always names itself', async () => {
    const { visitor, callback } = await fixture.begun();
    fixture.assertRefused(await visitor.get(`${callback}&iss=${encodeURIComponent('https://evil.example')}`));
    provider.metadata = { authorization_response_iss_parameter_supported: true };
    const own = await fixture.begun();
    const named = `${own.callback}&iss=${encodeURIComponent(provider.issuer)}`;
    expect((await own.visitor.get(named)).status).toBe(303);
    fixture.forget();
    const nameless = await fixture.begun();
    fixture.assertRefused(await nameless.visitor.get(nameless.callback));
  });

  it('tokens in the callback instead of a code', async () => {
    const { visitor, callback } = await fixture.begun();
    fixture.assertRefused(await visitor.get(`${callback}&id_token=eyJhbGciOiJub25lIn0.e30.`));
  });

  it('replay: the callback counts once, also with the cookie put back', async () => {
    const { visitor, callback } = await fixture.begun();
    const kept = [...visitor.cookies];
    expect((await visitor.get(callback)).status).toBe(303);
    fixture.forget();
    const thief = fixture.visitor();
    for (const [name, value] of kept) thief.cookies.set(name, value);
    fixture.assertRefused(await thief.get(callback));
    // A code that the provider would take twice is bound to this browser by nothing but the cookie, which is gone.
    fixture.assertRefused(await visitor.get(callback), 'started in another browser');
  });

  it('cookie tossing: a sealed cookie that was changed, or is that of another state', async () => {
    const { visitor, callback } = await fixture.begun();
    const [name = '', sealed = ''] = [...visitor.cookies].find(([each]) => each.startsWith('oidc-')) ?? [];
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(parameter(callback, 'state'));
    const other = await fixture.begun();
    const [, strange = ''] = [...other.visitor.cookies].find(([each]) => each.startsWith('oidc-')) ?? [];
    const middle = Math.floor(sealed.length / 2);
    const changed = sealed.charAt(middle) === 'A' ? 'B' : 'A';
    for (const tossed of [sealed.slice(0, middle) + changed + sealed.slice(middle + 1), strange, '', 'x']) {
      visitor.cookies.set(name, tossed);
      fixture.assertRefused(await visitor.get(callback), 'started in another browser');
    }
  });

  it('cookie bombs: whatever else is called so goes, before what was begun here', async () => {
    const { visitor, callback } = await fixture.begun();
    for (let index = 0; index < 20; index += 1) visitor.cookies.set(`oidc-${index}`, 'not of ours');
    await visitor.get(beginPath);
    expect([...visitor.cookies.keys()].filter((name) => name.startsWith('oidc-'))).toHaveLength(5);
    expect((await visitor.get(callback)).status).toBe(303);
  });

  it('open redirect: leads to no other site', async () => {
    const page = await fixture.signIn(fixture.visitor(), `${beginPath}?return_to=%2F%2Fevil.example`);
    expect([page.status, page.location]).toEqual([303, '/account']);
  });

  it('says nothing secret in the log, whatever the provider refuses', async () => {
    const { visitor, callback } = await fixture.begun();
    const said = { error: 'invalid_client', error_description: 'Invalid secret for jana@weitblick.example' };
    provider.scripted.set('/token', (response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...said, id_token: 'a token' }));
    });
    expect((await visitor.get(callback)).status).toBe(503);
    expect(fixture.logged).toMatchObject([
      { reason: 'misconfigured', provider_description: 'Invalid secret for [address]', status: 400 },
    ]);
    const secrets = ['code', 'state'].map((name) => parameter(callback, name));
    fixture.assertNothingSecretLogged('a token', 'a secret', ...secrets);
  });
});
