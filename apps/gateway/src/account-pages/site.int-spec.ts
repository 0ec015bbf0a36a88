import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const browsers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const account = ScriptedAccount.forSuite();

describe('the site', () => {
  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = browsers,
  ): Promise<Response> => fetch(account.api.origin + path, { method, headers, redirect: 'manual' });

  it('has a home page: what this is, a request with its answer, prices, and the way to a key', async () => {
    const page = await account.visitor().get('/', browsers);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Verified creators, by API');
    expect(page.text).toContain(`'${account.api.origin}/api/public/v1/search?`);
    expect(page.text).toMatch(/"credits_used": 3/);
    for (const price of ['$19', '$149', '$599', '10,000 credits, from $0.18 each']) {
      expect(page.text).toContain(price);
    }
    for (const link of ['/account/sign-in', '/docs', '/account/files/icon.']) {
      expect(page.html).toContain(`href="${link}`);
    }
    expect(page.html).not.toContain('noindex');
    expect(page.html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=/i);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
    expect(page.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('leads a browser that has a session to its account', async () => {
    const page = await account.member().get('/', browsers);
    expect(page.html).toContain('href="/account"');
    expect(page.text).not.toContain('Sign up');
  });

  it.each([
    ['/account/', '/account'],
    ['/account/usage/?days=90', '/account/usage?days=90'],
    ['/creators/luna//', '/creators/luna'],
    ['/docs/', '/docs'],
  ])('sends %s to the page without the slash', async (path, location) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(method, path);
      expect([answer.status, answer.headers.get('location')]).toEqual([308, location]);
    }
    expect((await send('POST', path)).status).not.toBe(308);
  });

  it.each(['/api/public/v1/search//', '/mcp//', '/nothing/', '//account/'])(
    'does not send %s anywhere: a 404',
    async (path) => {
      const answer = await send('GET', path);
      expect([answer.status, answer.headers.get('location')]).toEqual([404, null]);
      const type = /^\/(api|openapi|mcp)/.test(path) ? 'application/json' : 'text/html';
      expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    },
  );

  it.each(['/', '/account/sign-in', '/docs', '/favicon.ico', '/robots.txt', '/creators/nobody', '/nothing'])(
    'answers HEAD %s as GET, without a body',
    async (path) => {
      const [head, get] = [await send('HEAD', path), await send('GET', path)];
      expect(head.status).toBe(get.status);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(await head.text()).toBe('');
    },
  );

  it('answers HEAD neither for what is paid nor for downloads', async () => {
    for (const path of ['/api/public/v1/search', '/account/usage.csv', '/account/calls.csv']) {
      expect((await send('HEAD', path)).status).toBe(405);
    }
  });

  it('has an icon and rules for search engines', async () => {
    const icon = await send('GET', '/favicon.ico', {});
    expect(icon.headers.get('content-type')).toBe('image/x-icon');
    expect([...new Uint8Array(await icon.arrayBuffer()).slice(0, 4)]).toEqual([0, 0, 1, 0]);
    const robots = await (await send('GET', '/robots.txt', {})).text();
    expect(robots).toBe('User-agent: *\nDisallow: /account\nDisallow: /api/\nDisallow: /mcp\n');
  });
});

describe('what the gateway itself refuses', () => {
  it.each([
    '/nothing',
    '/accounting',
    '/docs/nothing',
    '/account/nothing',
    '/account/keys/one/two',
    '/account/files/none.css',
    '/creators/a/b',
  ])('is a page for browsers: %s', async (path) => {
    const page = await account.visitor().get(path, browsers);
    expect([page.status, page.text]).toEqual([404, expect.stringContaining('Page not found')]);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.html).toContain('/account/files/account.');
  });

  it('is a page for a wrong method too, which names the right ones', async () => {
    const page = await account
      .visitor()
      .post('/account/usage', {}, { ...browsers, origin: account.api.origin });
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(page.text).toContain('Page not found');
  });

  it('is JSON for programs, and on their paths', async () => {
    const visitor = account.visitor();
    for (const [path, headers] of [
      ['/account/nothing', { accept: 'application/json' }],
      ['/account/nothing', {}],
      ['/accounting', {}],
      ['/', { accept: '*/*' }],
      ['/', { accept: 'application/json' }],
      ['/mcp/nothing', browsers],
      ['/.well-known/nothing', browsers],
      ['/api/public/v1/nothing', browsers],
    ] as const) {
      const answer = await visitor.get(path, headers);
      expect([answer.status, JSON.parse(answer.html)]).toEqual([404, { error: 'No such path.' }]);
    }
  });
});
