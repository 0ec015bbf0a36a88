import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getProfile, WithBytes } from '#contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const decoders = { gzip: gunzipSync, br: brotliDecompressSync } as const;

const long = 'Travel and food. '.repeat(1_000);

describe('answers', () => {
  const api = PublicApiFixture.forSuite({ HAND_OVER_MS: '1500' });

  const get = (headers: Readonly<Record<string, string>>) =>
    api.undecoded('/api/public/v1/creators/luna', { authorization: `Bearer ${api.key}`, ...headers });

  /** Sets up a profile whose answer is a few bytes longer than its tagline, which compresses well or not at all. */
  function answerWith(tagline: string): void {
    const bytes = Buffer.from(JSON.stringify({ slug: 'luna', tagline }));
    api.services.on(getProfile, () => new WithBytes({ found: true }, bytes));
  }

  it.each(['gzip', 'br'] as const)(
    'from 2 kB on are compressed with %s for clients that accept it, sent whole and paid once',
    async (name) => {
      answerWith(long);
      const { headers, bytes } = await get({ 'accept-encoding': name });
      expect(headers).toMatchObject({
        'content-encoding': name,
        'content-length': String(bytes.length),
        'content-type': 'application/json; charset=utf-8',
        vary: 'accept-encoding',
      });
      expect(bytes.length).toBeLessThan(1_000);
      expect(JSON.parse(String(decoders[name](bytes)))).toMatchObject({ slug: 'luna', credits_used: 1 });
      expect(await api.outcomes(1)).toEqual(['posted']);
      expect(api.settlements.waiting).toBe(0);
    },
  );

  it.each([
    ['shorter ones', 'Travel and food.', { 'accept-encoding': 'gzip' }],
    ['for a client that refuses compression', long, { 'accept-encoding': 'gzip;q=0, identity' }],
    ['beyond 1 MB', 'x'.repeat(1_100_000), { 'accept-encoding': 'gzip' }],
  ])('are sent as they are: %s', async (_which, tagline, headers) => {
    answerWith(tagline);
    const answer = await get(headers);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers).toMatchObject({
      vary: 'accept-encoding',
      'content-length': String(answer.bytes.length),
    });
    expect(JSON.parse(String(answer.bytes))).toMatchObject({ tagline });
    expect(await api.outcomes(1)).toEqual(['posted']);
  });
});

describe('a gateway behind a proxy that compresses', () => {
  const api = PublicApiFixture.forSuite({ COMPRESS_ANSWERS: 'false' });

  it('sends answers as they are', async () => {
    const bytes = Buffer.from(JSON.stringify({ slug: 'luna', tagline: long }));
    api.services.on(getProfile, () => new WithBytes({ found: true }, bytes));
    const headers = { authorization: `Bearer ${api.key}`, 'accept-encoding': 'gzip' };
    const answer = await api.undecoded('/api/public/v1/creators/luna', headers);
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers).not.toHaveProperty('vary');
    expect(JSON.parse(String(answer.bytes))).toMatchObject({ tagline: long });
  });
});
