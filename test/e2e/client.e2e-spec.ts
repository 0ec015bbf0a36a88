import { CreatorSearch, type SearchParameters } from '@app/client';
import { createFundedAccount, spentBy } from '../support/accounts.js';
import { admin, daysFromNow } from '../support/admin-api.js';
import { clientOf } from '../support/client-of.js';
import { environment } from '../support/environment.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const records = Array.from({ length: 5 }, (_, index) =>
  catalog.record(`creator-${index}`, {
    platforms: [catalog.account({ updated_at: daysFromNow(-1 - index) })],
  }),
);
const slugs = records.map(({ slug }) => slug);
const { country } = catalog;

beforeAll(() => catalog.importVisible(records));
afterAll(() => catalog.remove());

describe('the client of consumers', () => {
  it('searches, and says what it cost and what is left', async () => {
    const { id, key } = await createFundedAccount({ credits: 50 });
    const found = await clientOf(key).search(
      { country, q: 'creator', limit: 2 },
      { requestId: 'one-search' },
    );
    expect(found).toMatchObject({ total: 5, returned: 2, credits_used: 3, requestId: 'one-search' });
    expect(found.creators.map(({ slug }) => slug)).toEqual(slugs.slice(0, 2));
    expect(found.credits).toEqual({ used: 3, remaining: 47 });
    const charge = (await admin.ledger(id)).find(({ type }) => type === 'charge');
    expect(charge).toMatchObject({ request_id: 'one-search', credits: -3 });
  });

  it('finds all creators over all pages, and pays for the pages that it has read', async () => {
    const { id, key } = await createFundedAccount();
    const client = clientOf(key);
    const found: string[] = [];
    const all = await spentBy(id, async () => {
      for await (const { slug } of client.searchAll({ country, limit: 2 })) found.push(slug);
    });
    expect(found).toEqual(slugs);
    expect(all).toBe(3 * 2);
    const some = await spentBy(id, async () => {
      for await (const { slug } of client.searchAll({ country, limit: 2 })) if (slug === slugs[2]) break;
    });
    expect(some).toBe(2 * 2);
  });

  it('goes on after a page that was read before', async () => {
    const client = clientOf((await createFundedAccount()).key);
    const { nextCursor } = await client.search({ country, limit: 3 });
    const rest = await client.search({ country, limit: 3, cursor: nextCursor ?? '' });
    expect(rest.creators.map(({ slug }) => slug)).toEqual(slugs.slice(3));
    expect(rest.nextCursor).toBeNull();
  });

  it('passes on the warning at 5 credits or fewer', async () => {
    const client = clientOf((await createFundedAccount({ credits: 6 })).key);
    const profile = await client.creator(slugs[0] ?? '');
    expect(profile.credits).toEqual({ used: 1, remaining: 5, warning: profile.warning });
    expect(profile.warning).toContain('5');
  });
});

describe('the client throws', () => {
  it('InvalidRequestError, with a sentence for each parameter', async () => {
    const client = clientOf((await createFundedAccount()).key);
    const parameters = { min_followers: 9, max_followers: 1, platfrom: 'x' } as SearchParameters;
    await expect(client.search(parameters)).rejects.toMatchObject({
      name: 'InvalidRequestError',
      code: 'invalid_request',
      status: 400,
      details: { platfrom: [expect.stringContaining('not a known parameter')] },
    });
  });

  it('UnauthorizedError for a key that is none', async () => {
    const refused = clientOf('csk_none').balance();
    await expect(refused).rejects.toMatchObject({ name: 'UnauthorizedError', status: 401 });
    await expect(refused).rejects.not.toThrow('csk_none');
  });

  it('InsufficientCreditsError, with the price and the balance', async () => {
    const client = clientOf((await createFundedAccount({ credits: 1 })).key);
    await expect(client.search({ country })).rejects.toMatchObject({
      name: 'InsufficientCreditsError',
      creditsNeeded: 2,
      creditsRemaining: 1,
    });
  });

  it('NotFoundError for a slug that nobody has', async () => {
    const client = clientOf((await createFundedAccount()).key);
    const id = 'nobody.here';
    await expect(client.creator(`${catalog.marker}-nobody`, { requestId: id })).rejects.toMatchObject({
      name: 'NotFoundError',
      requestId: id,
      attempts: 1,
    });
  });

  it('RateLimitedError, with the seconds to wait', async () => {
    const client = clientOf((await createFundedAccount()).key);
    await Promise.all(Array.from({ length: 60 }, () => client.balance()));
    await expect(client.balance()).rejects.toMatchObject({
      name: 'RateLimitedError',
      retryAfterSeconds: expect.any(Number) as number,
    });
  });

  it('ConnectionError where nobody listens', async () => {
    const { protocol } = new URL(environment.publicUrl);
    const client = new CreatorSearch({ apiKey: 'csk_none', baseUrl: `${protocol}//127.0.0.1:9`, retries: 0 });
    await expect(client.balance()).rejects.toMatchObject({ name: 'ConnectionError', status: null });
  });
});
