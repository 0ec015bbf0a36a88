import { getProfile, WithBytes } from '@app/contracts';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const attack = `"><img src=x onerror=alert(1)><script>alert(2)</script>'\`{{7*7}}`;

const account = ScriptedAccount.forSuite();

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
      expect(page.html).not.toMatch(/<img|<script>/);
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
    expect(page.html).not.toContain('<img');
  });

  it('cannot be links to anything but web addresses on the page of a creator', async () => {
    const profile = {
      name: `N ${attack}`,
      url: `${account.api.origin}/creators/luna`,
      tagline: `T ${attack}`,
      country: 'France',
      categories: [],
      website: 'javascript:alert(1)',
      platforms: [
        { platform: 'x', url: 'data:text/html,x' },
        { platform: 'tiktok', url: 'https://links.example/luna' },
      ],
    };
    const bytes = Buffer.from(JSON.stringify(profile));
    account.api.services.on(getProfile, () => new WithBytes({ found: true }, bytes));
    const page = await account.visitor().get('/creators/luna');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`T ${attack}`)]);
    expect(page.html).toContain('href="https://links.example/luna"');
    expect(page.html).not.toMatch(/href="(?:javascript|data):|<img|<script>/);
  });
});
