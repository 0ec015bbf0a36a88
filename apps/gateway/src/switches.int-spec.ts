import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { getProfile, WithBytes } from '#contracts';
import { ScriptedAccount } from './account-pages/fixtures/scripted-account.fixture.js';
import { request as message } from './mcp/mcp.fixture.js';

describe('a gateway whose optional parts are switched off', () => {
  const account = ScriptedAccount.forSuite({
    ACCOUNT_PAGES: 'off',
    API_REFERENCE: 'off',
    COMPRESS_ANSWERS: 'false',
    MCP: 'off',
  });

  /** Nothing is decoded on the way. */
  async function get(path: string, headers: Record<string, string>) {
    const outgoing = request(account.api.origin + path, { headers }).end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const { 'content-encoding': encoding, vary } = response.headers;
    return { status: response.statusCode, encoding, vary, body: await text(response) };
  }

  it('has none of their paths: account pages, pages of creators, the reference, /mcp', async () => {
    const member = account.member();
    const pages = [...account.paths, '/account/sign-in', '/creators/luna'];
    for (const path of [...pages, '/openapi.json', '/docs', '/docs/swagger-ui.css']) {
      const page = await member.get(path);
      expect([path, page.status, JSON.parse(page.html)]).toEqual([path, 404, { error: 'No such path.' }]);
    }
    const posted = await fetch(`${account.api.origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message('tools/list')),
    });
    expect([posted.status, await posted.json()]).toEqual([404, { error: 'No such path.' }]);
  });

  it('has a home page without the links that lead there', async () => {
    const page = await account.visitor().get('/', { accept: 'text/html' });
    expect(page.status).toBe(200);
    expect(page.html).not.toMatch(/href="\/(docs|account\/sign-in|account)"/);
    const [, styles = ''] = /href="(\/account\/files\/[^"]+\.css)"/.exec(page.html) ?? [];
    expect(await get(styles, { 'accept-encoding': 'br' })).toMatchObject({
      status: 200,
      encoding: undefined,
    });
  });

  it('answers calls as ever, and leaves their compression to a proxy', async () => {
    const { api } = account;
    api.scriptSuccess();
    const profile = { slug: 'luna', tagline: 'Travel and food. '.repeat(1_000) };
    const bytes = Buffer.from(JSON.stringify(profile));
    api.services.on(getProfile, () => new WithBytes({ found: true }, bytes));
    const headers = { authorization: `Bearer ${api.key}`, 'accept-encoding': 'gzip' };
    const answer = await get('/api/public/v1/creators/luna', headers);
    expect(answer).toMatchObject({ status: 200, encoding: undefined, vary: undefined });
    expect(JSON.parse(answer.body)).toMatchObject(profile);
  });
});
