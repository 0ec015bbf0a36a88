import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

describe('every page', () => {
  const account = ScriptedAccount.forSuite();

  it('is HTML that no cache keeps, no site frames, and nothing but this origin gives code to', async () => {
    const member = account.member();
    const visitor = account.visitor();
    const pages = await Promise.all([
      ...account.paths.map((path) => member.get(path)),
      ...['/account/sign-in', '/account/sign-in/link?token=x', '/creators/nobody'].map((path) =>
        visitor.get(path),
      ),
    ]);
    for (const { status, headers, html } of pages) {
      expect([200, 401, 404]).toContain(status);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';");
      expect(policy).toMatch(/base-uri 'none'; form-action 'self'( https:\/\/checkout\.stripe\.com)?;/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=/i);
      expect(html).toMatch(/^<!doctype html><html lang="en"/);
    }
  });

  it('sends forms only to this origin, and those of the page that sells to the payment page too', async () => {
    const member = account.member();
    const policies = await Promise.all(
      ['/account', '/account/buy'].map(async (path) =>
        (await member.get(path)).headers.get('content-security-policy'),
      ),
    );
    expect(policies).toEqual([
      expect.stringContaining("form-action 'self';"),
      expect.stringContaining("form-action 'self' https://checkout.stripe.com;"),
    ]);
  });

  it('loads files that can be kept for ever, because their addresses name their content', async () => {
    const { html } = await account.visitor().get('/account/sign-in');
    const addresses = [...html.matchAll(/(?:src|href)="(\/account\/files\/[^"]+)"/g)].map(
      ([, address]) => address ?? '',
    );
    expect(addresses).toHaveLength(3);
    for (const address of addresses) {
      const response = await fetch(account.api.origin + address, { headers: { 'accept-encoding': 'br' } });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-encoding')).toBe('br');
    }
  });

  it('answers an id that does not exist with a page that says so', async () => {
    const member = account.member();
    for (const path of ['/account/keys/no-id/delete', '/account/buy/0192f3a0-0000-7000-8000-000000000000']) {
      const page = await member.get(path);
      expect([page.status, page.text]).toEqual([404, expect.stringContaining('Page not found')]);
    }
  });

  it('needs a session: without one, with an old or a made-up one, the visitor signs in and comes back', async () => {
    for (const token of [undefined, 'made-up', 'A'.repeat(43)]) {
      const visitor = account.visitor();
      if (token !== undefined) visitor.cookies.set('session', token);
      for (const path of account.paths) {
        const page = await visitor.get(path);
        const expected =
          path === '/account' ? '' : `?return_to=${encodeURIComponent(path).replaceAll('%20', '+')}`;
        expect([page.status, page.location]).toEqual([303, `/account/sign-in${expected}`]);
      }
    }
  });

  it('looks up few made-up sessions for one network, and others go on meanwhile', async () => {
    const flooded = await ScriptedAccount.start({ TRUST_PROXY: '1' });
    const from = (network: string) => ({ 'x-forwarded-for': network });
    const statuses = new Set<number>();
    for (let count = 0; count < 40; count += 1) {
      const visitor = flooded.visitor();
      visitor.cookies.set('session', String(count).padStart(43, '0'));
      statuses.add((await visitor.get('/account', from('203.0.113.1'))).status);
    }
    expect([...statuses].sort()).toEqual([303, 503]);
    expect((await flooded.member().get('/account', from('203.0.113.2'))).status).toBe(200);
    await flooded.stop();
  });
});

it('ACCOUNT_PAGES=off leaves no page of accounts and creators, and the API as it is', async () => {
  const account = await ScriptedAccount.start({ ACCOUNT_PAGES: 'off' });
  const member = account.member();
  for (const path of [...account.paths, '/account/sign-in', '/creators/luna']) {
    const page = await member.get(path);
    expect([page.status, JSON.parse(page.html)]).toEqual([404, { error: 'No such path.' }]);
  }
  account.api.scriptSuccess();
  expect((await account.api.get('/creators/luna')).status).toBe(200);
  await account.stop();
});

it('over https its cookies are secure, and only of this host', async () => {
  const account = await ScriptedAccount.start({ PUBLIC_URL: 'https://api.example' });
  const page = await account.visitor().get('/account/sign-in');
  expect(page.headers.get('set-cookie')).toMatch(
    /^__Host-sign-in=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
  );
  await account.stop();
});
