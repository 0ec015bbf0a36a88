import { getProfile, WithBytes } from '#contracts';
import { PublicApiFixture } from './fixtures/public-api.fixture.js';

describe('a gateway whose optional parts are switched off', () => {
  const api = PublicApiFixture.forSuite({
    API_REFERENCE: 'off',
    COMPRESS_ANSWERS: 'false',
    MCP: 'off',
  });

  it('has none of their paths: the reference, /mcp', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs/reference', '/llms.txt']) {
      const { status, bytes } = await api.undecoded(path);
      expect([path, status, JSON.parse(String(bytes))]).toEqual([path, 404, { error: 'No such path.' }]);
    }
    const posted = await fetch(`${api.origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect([posted.status, await posted.json()]).toEqual([404, { error: 'No such path.' }]);
  });

  it('answers calls as ever, and leaves their compression to a proxy', async () => {
    const profile = { slug: 'luna', tagline: 'Travel and food. '.repeat(1_000) };
    const bytes = Buffer.from(JSON.stringify(profile));
    api.services.on(getProfile, () => new WithBytes({ found: true }, bytes));
    const headers = { authorization: `Bearer ${api.key}`, 'accept-encoding': 'gzip' };
    const answer = await api.undecoded('/api/public/v1/creators/luna', headers);
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers).not.toHaveProperty('vary');
    expect(JSON.parse(String(answer.bytes))).toMatchObject(profile);
  });
});
