import { beginPath, ProviderSignInFixture } from './fixtures/provider-sign-in.fixture.js';

describe('a website behind https', () => {
  const fixture = ProviderSignInFixture.forSuite({
    SITE_URL: 'https://site.example',
    PUBLIC_URL: 'https://api.example',
    COMPRESS_ANSWERS: 'false',
    PRODUCT_NAME: 'Who Is Who',
    COMPANY: 'Example Ltd, London',
    TERMS_URL: 'https://example.com/terms',
    PRIVACY_URL: 'https://example.com/privacy',
    STATUS_URL: 'https://status.example.com/',
    SUPPORT_EMAIL: 'help@example.com',
  });
  const cookieOf = async (path: string): Promise<string> => {
    const [cookie = ''] = (await fixture.visitor().get(path)).headers.getSetCookie();
    return cookie;
  };

  it('sets cookies that are secure, and only of this host', async () => {
    expect(await cookieOf('/account/sign-in')).toMatch(
      /^__Host-sign-in=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('lets no other host of the domain put a sign-in with a provider into a browser', async () => {
    expect(await cookieOf(beginPath)).toMatch(
      /^__Host-oidc-[0-9a-f]{16}=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('is used over https only, and shows calls and the reference of the API at its own address', async () => {
    const { headers, text, html } = await fixture.visitor().get('/');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(text).toContain("'https://api.example/api/public/v1/search'");
    expect(text).toContain('https://site.example/creators/');
    expect(html).toContain('href="https://api.example/docs"');
  });

  it('says on every page who runs it and how to reach them', async () => {
    for (const path of ['/', '/creators/nobody', '/account/sign-in']) {
      const { text, html } = await fixture.visitor().get(path);
      for (const name of ['Who Is Who', 'Example Ltd, London']) expect(text).toContain(name);
      for (const to of ['/terms', '/privacy']) expect(html).toContain(`href="https://example.com${to}"`);
      expect(html).toContain('href="https://status.example.com/"');
      expect(html.match(/href="mailto:help@example.com"/g)?.length).toBeGreaterThan(1);
    }
  });

  it('leaves compression to a proxy that does it', async () => {
    const { headers } = await fetch(fixture.account.site.origin, { headers: { 'accept-encoding': 'br' } });
    expect(headers.get('content-encoding')).toBeNull();
  });
});
