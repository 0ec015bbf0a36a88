import { describeCatalog } from '#contracts';
import { KnownCatalogFacts } from './data/cached-answers.js';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const browsers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const account = ScriptedAccount.forSuite();

describe('the site', () => {
  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = browsers,
  ): Promise<Response> => fetch(account.site.origin + path, { method, headers, redirect: 'manual' });

  it('has a home page: what this is, a request with its answer, prices, and the way to a key', async () => {
    const page = await account.visitor().get('/', browsers);
    expect(page.text).toContain(`'${account.site.origin}/api/public/v1/search'`);
    expect(page.text).toMatch(/"credits_used": 3/);
    for (const price of ['$19', '$149', '$599', 'From $1,800', '10,000 credits or more']) {
      expect(page.text).toContain(price);
    }
    for (const link of ['/account/sign-in', '/account/sign-up', `${account.site.origin}/docs`]) {
      expect(page.html).toContain(`href="${link}"`);
    }
    expect(page.html).not.toContain('noindex');
    expect(page.html).toMatch(/<meta name="description" content="Search creators across YouTube, [^"]+"/);
  });

  it('says how large and how fresh the catalog is, unless it is empty or away, and asks that once', async () => {
    const { services } = account.site;
    const counted = 'Creators 1,204,331 Countries 84 Platforms 5 Newest update';
    for (let visit = 0; visit < 3; visit += 1) {
      expect((await account.visitor().get('/', browsers)).text).toContain(counted);
    }
    expect(services.payloadsOf(describeCatalog).length).toBeLessThan(2);
    const facts = jest.spyOn(account.site.provider(KnownCatalogFacts), 'find');
    const empty = { creators: 0, countries: 0, platforms: 0, newest_updated_at: null };
    for (const answer of [empty, null]) {
      facts.mockResolvedValue(answer);
      expect((await account.visitor().get('/', browsers)).text).not.toContain('Countries');
    }
    facts.mockRestore();
  });

  it('names no one where nothing is set, and says how else to buy Enterprise', async () => {
    const page = await account.visitor().get('/', browsers);
    expect(page.html).not.toMatch(/mailto:|>(Terms|Privacy|Support|Status)</);
    expect(page.text).toContain('To buy it, contact the operator of this service.');
  });

  it('leads a browser that has a session to its account', async () => {
    const page = await account.member().get('/', browsers);
    expect(page.html).toContain('href="/account"');
    expect(page.text).not.toContain('Sign up');
  });

  it('shows the same page with a slash at the end of its address', async () => {
    for (const path of ['/account/sign-in', '/creators/luna']) {
      const [plain, slashed] = [await send('GET', path), await send('GET', `${path}/`)];
      expect(slashed.status).toBe(plain.status);
      expect(slashed.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    expect((await account.visitor().get('/account/usage/?days=90')).location).toMatch(
      /^\/account\/sign-in\?return_to=/,
    );
  });

  it.each(['/', '/favicon.ico', '/nothing'])('answers HEAD %s as GET, without a body', async (path) => {
    const [head, get] = [await send('HEAD', path), await send('GET', path)];
    expect(head.status).toBe(get.status);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    expect(await head.text()).toBe('');
  });

  it('answers no HEAD of downloads', async () => {
    expect((await send('HEAD', '/account/usage.csv')).status).toBe(404);
  });

  it('has an icon and rules for search engines', async () => {
    const icon = await send('GET', '/favicon.ico', {});
    expect(icon.headers.get('content-type')).toBe('image/vnd.microsoft.icon');
    expect([...new Uint8Array(await icon.arrayBuffer()).slice(0, 4)]).toEqual([0, 0, 1, 0]);
    const robots = await (await send('GET', '/robots.txt', {})).text();
    expect(robots).toBe('User-agent: *\nDisallow: /account\nDisallow: /api/\nDisallow: /mcp\n');
  });
});

describe('what is not there', () => {
  it.each(['/nothing', '/accounting', '/%ff', '/account/keys/one/two', '/account/files/version/none.css'])(
    'is a page for browsers: %s',
    async (path) => {
      const visitor = account.visitor();
      for (const page of [
        await visitor.get(path, browsers),
        await visitor.post(path, {}, { ...browsers, origin: account.site.origin }),
      ]) {
        expect([page.status, page.text]).toEqual([404, expect.stringContaining('Page not found')]);
        expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      }
    },
  );

  it('is JSON for programs', async () => {
    for (const [path, headers] of [
      ['/accounting', { accept: 'application/json' }],
      ['/api/public/v1/search', {}],
      ['/webhooks/stripe', browsers],
    ] as const) {
      const answer = await account.visitor().get(path, headers);
      expect([answer.status, JSON.parse(answer.html)]).toEqual([404, { error: 'No such path.' }]);
    }
  });
});
