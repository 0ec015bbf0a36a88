import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const browsers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('what the gateway itself refuses', () => {
  let account: ScriptedAccount;
  beforeAll(async () => (account = await ScriptedAccount.start()));
  afterAll(() => account.stop());

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

  it('also for a wrong method, which is named', async () => {
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
      ['/mcp/nothing', browsers],
      ['/.well-known/nothing', browsers],
      ['/api/public/v1/nothing', browsers],
    ] as const) {
      const answer = await visitor.get(path, headers);
      expect([answer.status, JSON.parse(answer.html)]).toEqual([404, { error: 'No such path.' }]);
    }
  });
});
