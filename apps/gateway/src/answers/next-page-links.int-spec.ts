import { once } from 'node:events';
import { searchCreators, WithBytes } from '@app/contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const next = { slug: 'luna', updated_at: '2026-01-31T00:00:00.000Z' };
const PUBLIC_URL = 'https://api.example';

describe.each<{ environment: Record<string, string>; origin: string }>([
  { environment: {}, origin: '' },
  { environment: { PUBLIC_URL }, origin: PUBLIC_URL },
])('the link to the next page, with $environment', ({ environment, origin }) => {
  let api: PublicApiFixture;

  beforeAll(async () => {
    api = await PublicApiFixture.start(environment);
  });
  afterAll(() => api.stop());
  beforeEach(() => {
    api.scriptSuccess();
    api.services.on(
      searchCreators,
      () => new WithBytes({ total: 2, returned: 1, next }, Buffer.from('[{"a":1}]')),
    );
  });

  /** The header of a search that is sent to this target with these headers. */
  async function linkOf(target: string, headers: string): Promise<string> {
    const socket = await api.open();
    socket.write(`GET ${target} HTTP/1.1\r\nAuthorization: Bearer ${api.key}\r\n${headers}\r\n\r\n`);
    let received = '';
    while (!received.includes('\r\n\r\n')) received += String((await once(socket, 'data'))[0]);
    api.disconnect();
    await api.settlements.next();
    return /^link: (.*)\r$/im.exec(received)?.[1] ?? received;
  }

  it.each([
    'Host: api.example',
    'Host: evil.example',
    'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: http',
    'Host: <evil>, "',
  ])('is not made from what the client says: %j', async (headers) => {
    const link = await linkOf('/api/public/v1/search?q=luna', headers);
    expect(link).toMatch(/^<[^>]+>; rel="next"$/);
    expect(link).toContain(`${origin}/api/public/v1/search?q=luna&limit=50&cursor=`);
    expect(link.startsWith(`<${origin}/api/`)).toBe(true);
    expect(link).not.toContain('evil');
  });

  it('has no other origin than that, whatever the request line says', async () => {
    const answer = await linkOf('http://evil.example/api/public/v1/search?q=luna', 'Host: a').catch(() => '');
    expect(answer).not.toContain('<http://evil');
  });
});
