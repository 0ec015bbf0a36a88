import { readFileSync } from 'node:fs';
import { type OpenAPIObject, type OperationObject } from 'openapi3-ts/oas31';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const api = PublicApiFixture.forSuite({
  SITE_URL: 'https://site.example',
  PUBLIC_URL: 'https://api.example',
  PRODUCT_NAME: 'Creators & Co',
  TERMS_URL: 'https://site.example/terms?for=api&to=you',
  SUPPORT_EMAIL: 'help@site.example',
});

const get = (path: string, headers?: Record<string, string>) => api.undecoded(path, headers);

it('GET /openapi.json is the document in docs, without a key', async () => {
  const { status, headers, bytes } = await get('/openapi.json');
  expect(status).toBe(200);
  const written = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as object;
  expect(JSON.parse(String(bytes))).toEqual({ ...written, servers: [{ url: 'https://api.example' }] });
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'content-length': String(bytes.length),
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  });
});

describe('the documentation', () => {
  it('is pages that may load and call only this origin, with nothing inline', async () => {
    const { status, headers, bytes } = await get('/docs/reference');
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
  });

  it('has no link that leads nowhere, and each page as Markdown', async () => {
    const documents = new Map<string, string>();
    const read = async (path: string): Promise<string> => {
      const { status, bytes } = await get(path, { 'accept-encoding': 'identity' });
      expect([path, status]).toEqual([path, 200]);
      documents.set(path, String(bytes));
      return String(bytes);
    };
    const waiting = ['/docs'];
    for (const path of waiting) {
      const html = await read(path);
      for (const [, target = ''] of html.matchAll(/(?:href|src)="(\/[^"#]*)/g)) {
        if (!waiting.includes(target)) waiting.push(target);
      }
    }
    const pages = [...documents].filter(([, text]) => text.startsWith('<!doctype html>'));
    expect(pages.length).toBeGreaterThan(15);
    for (const [path, html] of pages) {
      expect(waiting).toContain(`${path}.md`);
      for (const [, target = '', anchor = ''] of html.matchAll(/href="(\/[^"#]*)?#([^"]+)"/g)) {
        const where = documents.get(target === '' ? path : target) ?? '';
        expect([path, anchor, where.includes(` id="${anchor}"`)]).toEqual([path, anchor, true]);
      }
    }
    expect([...documents.values()].filter((text) => text.includes('%%'))).toEqual([]);
  });

  it('is listed for models', async () => {
    const { headers, bytes } = await get('/llms.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const listed = [...String(bytes).matchAll(/\(https:\/\/api\.example(\/docs[^)]*\.md)\)/g)];
    expect(listed.length).toBeGreaterThan(15);
    for (const [, path = ''] of listed) {
      const page = await get(path);
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    }
  });

  it('has each operation, with its parameters, errors and three samples', async () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject;
    const parts = String((await get('/docs/reference')).bytes).split('<section class="part">');
    for (const [path, methods] of Object.entries(paths ?? {})) {
      for (const [method, operation] of Object.entries(methods as Record<string, OperationObject>)) {
        const title = `<code>${method.toUpperCase()} ${path}</code>`;
        const part = parts.find((text) => text.includes(title)) ?? '';
        const { parameters = [], responses = {} } = operation;
        const named = parameters.map((parameter) => ('name' in parameter ? parameter.name : ''));
        for (const name of [...named, ...Object.keys(responses).filter((status) => status !== '200')]) {
          expect([title, part.includes(`<li><code>${name}</code>`)]).toEqual([title, true]);
        }
        expect(part).toContain(`data-method="${method.toUpperCase()}" data-path="${path}"`);
        expect([title, part.includes('<textarea')]).toEqual([title, operation.requestBody !== undefined]);
        for (const sample of [/curl /, /await (?:client\.|fetch\()/, /urllib\.request\.Request\(/]) {
          expect([title, part]).toEqual([title, expect.stringMatching(sample)]);
        }
      }
    }
  });

  it('names the addresses and the name of this service', async () => {
    const html = String((await get('/docs/reference')).bytes);
    expect(html).toContain('https://api.example/api/public/v1/search');
    expect(html).toContain('Creators &#38; Co');
    expect(html).toContain('<a href="https://site.example/account/keys">');
    const [, footer] = /<footer[^>]*>(.*?)<\/footer>/.exec(html) ?? [];
    expect(footer).toBe(
      '<a href="https://site.example/terms?for=api&#38;to=you">Terms</a><a href="mailto:help@site.example">Support</a>',
    );
    expect(String((await get('/docs/mcp.md')).bytes)).toContain('https://api.example/mcp');
  });

  it('loads files that can be kept for ever, because their addresses name their content', async () => {
    const html = String((await get('/docs')).bytes);
    const addresses = [...html.matchAll(/(?:src|href)="(\/docs\/[^"]+\.(?:css|js|svg))"/g)];
    expect(new Set(addresses.map(([, address]) => address)).size).toBe(3);
    for (const [, address = ''] of addresses) {
      const { status, headers } = await get(address, { 'accept-encoding': 'br' });
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      // The icon is too short to be compressed.
      expect(headers['content-encoding']).toBe(address.endsWith('.svg') ? undefined : 'br');
    }
    // From a gateway of another version.
    const other = (addresses[0]?.[1] ?? '').replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.');
    expect((await get(other)).headers['cache-control']).toBe('no-store');
  });

  it.each(['nothing', 'not-found.html', '%2e%2e%2fpackage.json', 'constructor'])(
    'says on a page that %s does not exist',
    async (name) => {
      const { status, headers, bytes } = await get(`/docs/${name}`);
      expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
      expect(String(bytes)).toContain('Page not found');
    },
  );
});

describe('the documentation of an installation without a website', () => {
  const withoutSite = PublicApiFixture.forSuite({});

  it('has no links to one', async () => {
    const html = await (await fetch(`${withoutSite.origin}/docs/reference`)).text();
    expect(html).toContain('<a class="brand" href="/docs">');
    expect(html).not.toMatch(/Sign up|Pricing|Create a key|%%/);
  });
});
