import { charge, type ChargeReply, getProfile, ServiceError, WithBytes } from '#contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';
import { etagOf } from '../answers/etag.js';
import { AnswerTags } from '../answers/answer-tags.js';

const profile = Buffer.from('{"slug":"luna","name":"Lúna"}');
const ADMIN_TOKEN = 'the token of the operator';
const tags = new AnswerTags({ ADMIN_TOKEN });
const etag = tags.tagOf(profile);
// Made before there is a gateway in this process: the key takes so long that its messages would be sent again meanwhile.
const otherTag = new AnswerTags({ ADMIN_TOKEN: 'another token of operators' }).tagOf(profile);
const path = '/creators/luna';

const api = PublicApiFixture.forSuite({ ADMIN_TOKEN });
afterEach(() => expect(api.settlements.waiting).toBe(0));

function get(headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return api.get(path, { headers: { authorization: `Bearer ${api.key}`, ...headers } });
}

const unavailable = (): never => {
  throw new ServiceError('unavailable', 'The database is away.');
};

describe('a profile', () => {
  it('has a weak entity tag, of what the catalog says of the creator and not of the credits', async () => {
    const first = await get();
    api.answerCharges({ credits_remaining: 3 });
    const second = await get();
    expect([first.status, second.status]).toEqual([200, 200]);
    expect([first.headers.get('etag'), second.headers.get('etag')]).toEqual([etag, etag]);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(await first.json()).not.toEqual(await second.json());
    await api.outcomes(2);
  });

  it.each([
    ['named alone', etag],
    ['named strongly, among others', `"other", ${etag.slice(2)}`],
  ])(
    'that the client has already (%s) is a 304 without a body, and costs nothing',
    async (_how, ifNoneMatch) => {
      const response = await get({ 'if-none-match': ifNoneMatch });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
      const headers = Object.fromEntries(response.headers);
      expect(headers).toMatchObject({
        etag,
        'cache-control': 'private, no-cache',
        vary: 'accept-encoding',
        'x-credits-used': '0',
        'x-credits-remaining': '100',
        'x-request-id': expect.any(String) as string,
      });
      expect(headers).not.toHaveProperty('content-length');
      expect(headers).not.toHaveProperty('content-type');
      expect(headers).not.toHaveProperty('x-credits-warning');
      expect(api.services.payloadsOf(charge)).toMatchObject([{ operation: 'profile', credits: 0 }]);
      expect(await api.settlementsSoFar()).toEqual([]);
    },
  );

  it.each([
    'W/"other", "third"',
    // Matches any tag of what is free, never what is paid.
    ' *',
    etagOf(profile),
    otherTag,
  ])('that the client has in another form (If-None-Match: %s) is a 200 and paid', async (ifNoneMatch) => {
    const response = await get({ 'if-none-match': ifNoneMatch });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ slug: 'luna', credits_used: 1 });
    expect(await api.outcomes(1)).toEqual(['posted']);
  });

  it('is the latest one for a client that names a tag, and may be a second old for others', async () => {
    await get();
    await get({ 'if-none-match': 'W/"older"' });
    expect(api.services.payloadsOf(getProfile)).toEqual([{ slug: 'luna' }, { slug: 'luna', latest: true }]);
    await api.outcomes(2);
  });

  it('is a 304 of the same tag for clients that accept compressed answers, as its 200 is', async () => {
    const large = Buffer.from(JSON.stringify({ slug: 'luna', tagline: 'Travel and food. '.repeat(1_000) }));
    api.services.on(getProfile, () => new WithBytes({ found: true }, large));
    const accept = { 'accept-encoding': 'gzip' };
    const response = await get(accept);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: tags.tagOf(large),
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
    });
    await api.settlements.next();
    const again = await get({ ...accept, 'if-none-match': tags.tagOf(large) });
    expect([again.status, again.headers.get('content-encoding')]).toEqual([304, null]);
  });

  it.each<[string, number, () => ChargeReply]>([
    ['with a key that billing finds revoked,', 401, () => ({ outcome: 'key_revoked' })],
    ['when billing cannot be asked,', 503, unavailable],
  ])('that is unchanged, %s is a %i without a tag, and nothing is settled', async (_name, status, reply) => {
    api.services.on(charge, reply);
    const response = await get({ 'if-none-match': etag });
    expect([response.status, response.headers.get('etag')]).toEqual([status, null]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await api.settlementsSoFar()).toEqual([]);
  });
});
