import { charge, type ChargeReply, getProfile, ServiceError } from '#contracts';
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

it.each([
  'W/"other", "third"',
  // Matches any tag of what is free, never what is paid.
  ' *',
  etagOf(profile),
  otherTag,
])(
  'a profile that the client has in another form (If-None-Match: %s) is a 200 and paid',
  async (ifNoneMatch) => {
    const response = await get({ 'if-none-match': ifNoneMatch });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ slug: 'luna', credits_used: 1 });
    expect(await api.outcomes(1)).toEqual(['posted']);
  },
);

it('a profile is the latest one for a client that names a tag, and may be a second old for others', async () => {
  await get();
  await get({ 'if-none-match': 'W/"older"' });
  expect(api.services.payloadsOf(getProfile)).toEqual([{ slug: 'luna' }, { slug: 'luna', latest: true }]);
  await api.outcomes(2);
});

it.each<[string, number, () => ChargeReply]>([
  ['with a key that billing finds revoked,', 401, () => ({ outcome: 'key_revoked' })],
  ['when billing cannot be asked,', 503, unavailable],
])(
  'a profile that is unchanged, %s is a %i without a tag, and nothing is settled',
  async (_name, status, reply) => {
    api.services.on(charge, reply);
    const response = await get({ 'if-none-match': etag });
    expect([response.status, response.headers.get('etag')]).toEqual([status, null]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await api.settlementsSoFar()).toEqual([]);
  },
);
