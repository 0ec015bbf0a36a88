import { getPublicCreator } from '#contracts';
import { RateLimiter } from '#http';
import { newToken } from '#platform';
import { type PageVisitor } from '#testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const account = ScriptedAccount.forSuite({ TRUST_PROXY: '1' });

describe('every page', () => {
  it('is HTML that no cache keeps, no site frames, and nothing but this origin gives code to', async () => {
    const member = account.member();
    const ofVisitors = [
      '/',
      '/account/sign-in',
      '/account/sign-up',
      '/account/sign-in/link?token=x',
      '/creators/nobody',
    ];
    for (const path of [...account.paths, ...ofVisitors]) {
      const visitor = ofVisitors.includes(path) ? account.visitor() : member;
      const { status, headers, html } = await visitor.get(path);
      expect([200, 401, 404]).toContain(status);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none';script-src 'self';style-src 'self';img-src 'self';");
      expect(policy).toMatch(/base-uri 'none';form-action 'self'( https:\/\/checkout\.stripe\.com)?;/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=/i);
      expect(html).toMatch(/^<!doctype html><html lang="en"/);
    }
  });

  it('loads files that can be kept forever, because their addresses name their content', async () => {
    const { html } = await account.visitor().get('/account/sign-in');
    const addresses = html.match(/(?<=(?:src|href)=")\/account\/files\/[^"]+/g) ?? [];
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      const { status, headers } = await fetch(account.site.origin + address, {
        headers: { 'accept-encoding': 'br' },
      });
      const kept = 'public, max-age=31536000, immutable';
      expect([status, headers.get('cache-control'), headers.get('content-encoding')]).toEqual([
        200,
        kept,
        'br',
      ]);
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
});

const attack = `"><img src=x onerror=alert(1)><script>alert(2)</script>'\`{{7*7}}`;

describe('texts that people typed', () => {
  it('are shown as they are on every page, and are never markup', async () => {
    account.script({
      accountName: `A ${attack}`,
      email: `e${attack}@x.example`,
      keyName: `K ${attack}`,
      requestId: `r ${attack}`,
      reason: `B ${attack}`,
    });
    const member = account.member();
    for (const path of account.paths) {
      const page = await member.get(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.html).not.toMatch(/<img src=x|<script>/);
      expect(page.html).not.toMatch(/<[^>]*\sonerror=/);
      expect(page.text).toContain(`A ${attack}`);
    }
    expect((await member.get('/account/keys')).text).toContain(`K ${attack}`);
    expect((await member.get('/account/statement')).text).toContain(`B ${attack}`);
  });

  it('come back from a refused form as text too', async () => {
    const visitor = account.visitor();
    const form = (await visitor.get('/account/sign-in')).form('/sign-in');
    const page = await visitor.submit(form, { email: attack });
    expect([page.status, page.form('/sign-in').fields.email]).toEqual([400, attack]);
    expect(page.html).not.toContain('<img src=x');
  });
});

describe('the page of a creator', () => {
  beforeEach(() => {
    const creator = {
      name: `N \u202e${attack}`,
      url: `${account.site.origin}/creators/luna`,
      tagline: `T ${attack}`,
      country: 'France',
      platforms: [
        { platform: 'x', reach: 1_200_000 },
        { platform: 'tiktok', reach: 0 },
      ] as const,
    };
    account.site.services.on(getPublicCreator, () => ({ creator }));
  });
  const show = (address: string) => account.visitor().get('/creators/luna', { 'x-forwarded-for': address });

  it('shows everyone what is nothing but text, without a link away, and in the direction in which it was written', async () => {
    const page = await show('203.0.113.3');
    expect(page.status).toBe(200);
    for (const shown of [
      'Docs Pricing Sign in Sign up',
      `N ${attack}`,
      `T ${attack}`,
      'about 1.2M followers',
      'under 1,000 followers',
    ]) {
      expect(page.text).toContain(shown);
    }
    expect(page.html).toContain('<meta name="description" content="T &quot;');
    const { origin } = account.site;
    expect(page.html.replaceAll(`href="${origin}/docs"`, '')).not.toMatch(
      /href="(?![/#])|<img src=x|<script>/,
    );
  });

  it('is shown ten times a minute to a network, with a Retry-After when it is over', async () => {
    const statuses = [];
    for (let time = 0; time < 10; time += 1) statuses.push((await show('203.0.113.4')).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await show('203.0.113.4');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await show('203.0.113.5')).status).toBe(200);
  });

  it('is shown 200 times a day to a network, however slowly', async () => {
    const limiter = account.site.provider(RateLimiter);
    const aDay = { calls: 200, seconds: 86_400 };
    for (let time = 1; time < 200; time += 1) await limiter.admit('creatorPagesADay', '203.0.113.6', aDay);
    expect([(await show('203.0.113.6')).status, (await show('203.0.113.6')).status]).toEqual([200, 429]);
  });
});

it('made-up sessions lock out no member of their network, neither one who was signed in nor a new one', async () => {
  const statusOf = async (visitor: PageVisitor) => (await visitor.get('/account')).status;
  const [before, later] = [account.member(), account.member()];
  expect(await statusOf(before)).toBe(200);
  const flood = Promise.all(
    Array.from({ length: 120 }, () => {
      const visitor = account.visitor();
      visitor.cookies.set('session', newToken());
      return statusOf(visitor);
    }),
  );
  for (let time = 0; time < 20; time += 1) expect(await statusOf(before)).toBe(200);
  for (let time = 0; time < 5; time += 1) expect(await statusOf(later)).toBe(200);
  expect(new Set(await flood)).toEqual(new Set([303]));
});
