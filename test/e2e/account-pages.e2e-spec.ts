import { eventually, type PageVisitor, type ShownPage } from '#testing';
import { adjust } from '../support/accounts.js';
import { KeyPool } from '../support/key-pool.js';
import { createKeyOnPage, newOwner } from '../support/members.js';
import { api } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const record = catalog.record('shown', {
  name: 'Ada <Shown>',
  tagline: 'Lifts & laughs',
  categories: ['fitness'],
});

beforeAll(() => catalog.importVisible([record], new KeyPool()));
afterAll(() => catalog.remove());

/** What a page shows once it contains these words: a replica may have answered before the other settled. */
function shows(visitor: PageVisitor, path: string, words: string): Promise<ShownPage> {
  return eventually(async () => {
    const page = await visitor.get(path);
    expect(page.text).toContain(words);
    return page;
  }, 10_000);
}

const country = catalog.country;

describe('a key of the account pages', () => {
  it('is shown once, answers calls, and the calls are on the pages and in the files', async () => {
    const { account, owner } = await newOwner();
    await adjust(account.id, 100);
    expect((await owner.get('/account/keys')).text).toContain('0 of 5 keys');
    const key = await createKeyOnPage(owner, 'Crawler, "new"');
    const list = await owner.get('/account/keys');
    expect(list.text).toContain('1 of 5 keys');
    expect(list.html).not.toContain(key);

    const found = await api.search({ country, platform: 'youtube' }, key);
    expect([found.status, found.body.credits_used]).toEqual([200, 3]);
    const [requestId] = [String(found.headers['x-request-id'])];
    expect((await api.profile(record.slug, key)).status).toBe(200);
    expect(await api.freeStatus(key)).toBe(200);

    const price = 'Search: 1 + country + platform = 3';
    const usage = await shows(owner, '/account/usage', '3 calls, 4 credits in the last 30 days');
    expect(usage.text).toContain(price);
    expect(usage.text).toContain('Search: no match');
    const overview = await owner.get('/account');
    expect(overview.text).toContain(price);
    expect(overview.text).toMatch(/96 credits, until \d+ \w+/);
    expect(overview.text).not.toContain('at your pace');
    const call = await owner.get(`/account/calls/${requestId}`);
    expect(call.text).toContain(price);
    expect(call.text).toContain('Crawler, "new"');

    const usageFile = await owner.get('/account/usage.csv');
    expect(usageFile.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(usageFile.html).toMatch(/^\d{4}-\d\d-\d\d,[\w-]{36},"Crawler, ""new""",search,2,3\r?$/m);
    const callsFile = await owner.get('/account/calls.csv');
    expect(callsFile.html).toContain(`${requestId},`);
    expect(callsFile.html).toContain(',country platform,1,3,0,posted,,');
    const statement = await owner.get('/account/statement');
    expect(statement.text).toContain('Balance 96');
    expect(statement.html).toContain(`/account/calls/${requestId}`);
    const statementFile = await owner.get('/account/statement.csv');
    expect(statementFile.html).toMatch(new RegExp(`,charge,-3,97,adjustment,${requestId},search,`));
  });
});
