import { eventually } from '#testing';
import { adjust, createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { McpConsumer } from '../support/mcp.js';
import { api, paths, type PublicReply, type SearchBody } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const limit = 60;
const catalog = SuiteCatalog.forSuite();
const creator = catalog.record('someone');

beforeAll(() => catalog.importVisible([creator]));

/** Searches without a match, all at once. */
function searches(count: number, key: string): Promise<PublicReply<SearchBody>[]> {
  return Promise.all(Array.from({ length: count }, () => api.search({ q: randomWord() }, key)));
}

const countOf = (replies: readonly { readonly status: number }[], status: number) =>
  replies.filter((reply) => reply.status === status).length;

// The window of a minute: libs/http/src/rate-limiter.int-spec.ts.
describe('the limit of 60 searches per minute and key', () => {
  it('60 succeed and count down, the 61st is a 429 with Retry-After, costs nothing and is in no usage', async () => {
    const { id, key, keyId } = await createFundedAccount({ credits: 1_000 });
    for (let left = limit - 1; left >= 0; left -= 1) {
      const { status, headers } = await api.search({ country: catalog.country }, key);
      expect([status, headers['ratelimit-policy']]).toEqual([200, '"search";q=60;w=60']);
      expect(headers.ratelimit).toMatch(new RegExp(`^"search";r=${left};t=\\d+$`));
    }
    const refused = await api.search({ country: catalog.country }, key);
    expect([refused.status, Object.keys(refused.body)]).toEqual([429, ['error']]);
    expect(refused.headers['retry-after']).toMatch(/^([1-9]|[1-5][0-9]|60)$/);
    expect(refused.headers.ratelimit).toMatch(/=0\b/);
    expect(await admin.balance(id)).toBe(1_000 - 2 * limit);
    // A call is in the usage once it has been settled, shortly after its answer.
    await eventually(async () => {
      const calls = (await admin.usage(id)).filter((row) => row.key_id === keyId);
      expect(calls.reduce((sum, row) => sum + row.calls, 0)).toBe(limit);
    }, 5_000);
  });

  it('counts searches that fail validation or cost more than the balance, and none without authentication', async () => {
    const { key } = await createFundedAccount({ credits: 0 });
    await api.send(paths.search);
    const invalid = await Promise.all(Array.from({ length: 40 }, () => api.search({ limit: 0 }, key)));
    const poor = Array.from({ length: 19 }, () => api.search({ country: catalog.country }, key));
    expect([countOf(invalid, 400), countOf(await Promise.all(poor), 402)]).toEqual([40, 19]);
    expect(countOf(await searches(2, key), 200)).toBe(1);
    expect((await api.search({ limit: 0 }, key)).status).toBe(429);
  });
});

/** What is left in an hour to an account that can't pay. */
const questionsMax = 20;

describe('questions that cost nothing', () => {
  const ask = (key: string, matches: boolean) =>
    api.search(matches ? { country: catalog.country } : { q: randomWord() }, key);
  const wasRun = ({ text }: PublicReply<SearchBody>): boolean => !text.includes('was not run');

  it('are 20 an hour of an account that was rich a moment ago, whichever gateways its keys come to', async () => {
    const { id, keys } = await createFundedAccount({ credits: 100, keys: 5 });
    // Every gateway knows every key as one that can pay.
    await Promise.all(keys.flatMap(({ key }) => Array.from({ length: 8 }, () => ask(key, false))));
    await adjust(id, -100);
    const replies = await Promise.all(
      keys.flatMap(({ key }) => Array.from({ length: 50 }, (_, count) => ask(key, count % 2 === 0))),
    );
    expect(replies.filter(wasRun)).toHaveLength(questionsMax);
    const refused = replies.filter((reply) => !wasRun(reply));
    expect(countOf(refused, 402)).toBe(refused.length);
    const [{ key } = { key: '' }] = keys;
    const consumer = await McpConsumer.connect('modern', key);
    expect(await consumer.error('search_creators', { q: randomWord() })).toMatchObject({
      error: expect.stringContaining('was not run') as string,
    });
    await consumer.close();
    // Once there are credits again, everything is run.
    await adjust(id, 100);
    await eventually(async () => expect((await ask(key, true)).status).toBe(200), 2_000);
  });
});
