import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getProfile, WithBytes } from '#contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';
import { gate } from '#testing';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

const api = PublicApiFixture.forSuite({
  CALLS_IN_WORK_MAX: '1',
  WAIT_MAX_MS: '300',
  TRUST_PROXY: '1',
  SITE_URL: 'https://site.example',
});

/** Nothing is decoded or followed on the way. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const outgoing = request(api.origin + path, { headers, method });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

/** The addresses of the files that the page loads. */
async function filesOfPage(): Promise<string[]> {
  const html = String((await get('/docs')).bytes);
  return [...html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, address = '']) => address);
}

async function viewer(): Promise<string> {
  return (await filesOfPage()).find((address) => address.includes('swagger-ui-bundle')) ?? '';
}

describe('GET /openapi.json', () => {
  it('is the document in docs, without a key', async () => {
    const { status, headers, bytes } = await get('/openapi.json');
    expect(status).toBe(200);
    expect(JSON.parse(String(bytes))).toEqual(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
  });

  it('is not sent again to a client that has it', async () => {
    const { headers } = await get('/openapi.json');
    const again = await get('/openapi.json', { 'if-none-match': headers.etag ?? '' });
    expect(again).toMatchObject({ status: 304, headers: { etag: headers.etag } });
    expect(again.bytes).toHaveLength(0);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('is compressed for clients that accept %s', async (accepted, encoding, decode) => {
    const plain = await get('/openapi.json');
    const { headers, bytes } = await get('/openapi.json', { 'accept-encoding': accepted });
    expect(headers).toMatchObject({ 'content-encoding': encoding, etag: plain.headers.etag });
    expect(decode(bytes)).toEqual(plain.bytes);
  });

  it('is sent while every slot is taken, also with a key', async () => {
    await api.get('/creators/luna');
    const [asked, answer] = [gate(), gate()];
    api.services.on(getProfile, async () => {
      asked.open();
      await answer.opened;
      return new WithBytes({ found: true }, Buffer.from('{"slug":"luna"}'));
    });
    const held = api.get('/creators/luna');
    await asked.opened;
    const authorization = `Bearer ${api.key}`;
    expect((await api.get('/creators/luna')).status).toBe(503);
    expect((await get('/openapi.json', { authorization })).status).toBe(200);
    answer.open();
    expect((await held).status).toBe(200);
  });
});

describe('GET /docs', () => {
  it('is a page that may load and call only this origin, with nothing inline', async () => {
    const { status, headers, bytes } = await get('/docs');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(String(bytes)).not.toMatch(/<script(?![^>]* src=)|<style|style=/);
    expect(String(bytes)).toContain('<a href="https://site.example/account/keys">Sign up and create one</a>');
  });

  it('is the same with a slash at the end of its address', async () => {
    expect((await get('/docs/')).bytes).toEqual((await get('/docs')).bytes);
  });

  it('loads files that can be kept for ever, because their addresses name their content', async () => {
    const addresses = await filesOfPage();
    expect(addresses).toHaveLength(5);
    for (const address of addresses) {
      const { status, headers } = await get(address, { 'accept-encoding': 'br' });
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toMatch(/^(?:text\/javascript|text\/css|image\/png)/);
    }
  });

  it('gets its files from a gateway of another version too, which no cache keeps', async () => {
    const [address = ''] = await filesOfPage();
    const { status, headers } = await get(address.replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.'));
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('has the licences of the viewer where its first line says', async () => {
    const script = String((await get(await viewer())).bytes);
    const [, name] = /see (\S+\.LICENSE\.txt)/.exec(script.slice(0, 200)) ?? [];
    const { status, bytes } = await get(`/docs/${name}`);
    expect(status).toBe(200);
    expect(String(bytes)).toContain('Apache License');
    expect(String(bytes)).toContain('react');
  });

  it.each(['/docs/..', '/docs/%2e%2e%2fpackage.json', '/docs/constructor'])('%s is a 404', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});

describe('a flood', () => {
  it('of the viewer is refused beyond some downloads of each network, while what is small goes on', async () => {
    const address = await viewer();
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    const statuses: number[] = [];
    for (let count = 0; count < 30; count += 1) {
      const response = await fetch(api.origin + address, { headers });
      await response.arrayBuffer();
      statuses.push(response.status);
      if (response.status === 503) expect(response.headers.get('retry-after')).toBe('1');
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
    expect((await fetch(`${api.origin}/openapi.json`, { headers })).status).toBe(200);
    expect((await fetch(`${api.origin}/docs`, { headers })).status).toBe(200);
  });
});
