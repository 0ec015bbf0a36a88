import { once } from 'node:events';
import { searchCreators, WithBytes } from '#contracts';
import { PublicApiFixture } from './fixtures/public-api.fixture.js';

const next = { slug: 'luna', updated_at: '2026-01-31T00:00:00.000Z' };
const PUBLIC_URL = 'https://api.example';

/** The header of a search that is sent to this target with these headers. */
async function linkOf(api: PublicApiFixture, target: string, headers: string): Promise<string> {
  api.scriptSuccess();
  const found = new WithBytes({ total: 2, returned: 1, next }, Buffer.from('[{"a":1}]'));
  api.services.on(searchCreators, () => found);
  const socket = await api.open();
  socket.write(`GET ${target} HTTP/1.1\r\nAuthorization: Bearer ${api.key}\r\n${headers}\r\n\r\n`);
  let received = '';
  while (!received.includes('\r\n\r\n')) received += String((await once(socket, 'data'))[0]);
  api.disconnect();
  await api.settlements.next();
  return /^link: (.*)\r$/im.exec(received)?.[1] ?? received;
}

const claims = [
  'Host: api.example',
  'Host: evil.example',
  'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: http',
  'Host: <evil>, "',
];

async function assertOwnLinks(api: PublicApiFixture, origin: string): Promise<void> {
  for (const headers of claims) {
    const link = await linkOf(api, '/api/public/v1/search?q=luna', headers);
    expect(link).toMatch(/^<[^>]+>; rel="next"$/);
    expect(link.startsWith(`<${origin}/api/public/v1/search?q=luna&limit=50&cursor=`)).toBe(true);
    expect(link).not.toContain('evil');
  }
  const absolute = 'http://evil.example/api/public/v1/search?q=luna';
  expect(await linkOf(api, absolute, 'Host: a').catch(() => '')).not.toContain('<http://evil');
}

describe('a gateway that does not know its public address', () => {
  const api = PublicApiFixture.forSuite();

  it('links to the next page by its path, whatever the client says', () => assertOwnLinks(api, ''));
});

describe('a gateway behind https', () => {
  const api = PublicApiFixture.forSuite({ PUBLIC_URL });

  it('links to the next page at its public address, whatever the client says', () =>
    assertOwnLinks(api, PUBLIC_URL));
});
