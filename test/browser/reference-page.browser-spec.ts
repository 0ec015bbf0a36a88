import { type OpenAPIObject, type OperationObject } from 'openapi3-ts/oas31';
import { eventually } from '#testing';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { environment } from '../support/environment.js';
import { KeyPool } from '../support/key-pool.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { describeInBrowser } from './support/browser-suite.js';
import { docs, type ListedGroup, ReferencePage } from './support/reference-page.js';

const search = 'searchCreators';
const shownWithinMs = 10_000;

/** What the page has to list: the operations of the OpenAPI document, in its order. */
async function documentedGroups(): Promise<ListedGroup[]> {
  const { tags = [], paths: described = {} } = (await api.send<OpenAPIObject>('/openapi.json')).body;
  const operations = Object.entries(described).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, OperationObject>).map(([method, { tags: groups, summary }]) => ({
      group: groups?.[0],
      words: `${method.toUpperCase()} ${path} ${summary}`,
    })),
  );
  return tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ group }) => group === name).map(({ words }) => words),
  }));
}

describeInBrowser('the reference page', (browser) => {
  const catalog = new SuiteCatalog();
  beforeAll(() => catalog.importVisible([catalog.record('ada'), catalog.record('bea')], new KeyPool()));
  afterAll(() => catalog.remove());

  it('lists every operation of the document in its group, and opens the one that its address names', async () => {
    const reference = await ReferencePage.in(await browser.open('/docs#/Account/getBalance'));
    await reference.page.getByRole('button', { name: 'Try it out' }).waitFor();
    const open = reference.page.locator('.opblock.is-open');
    expect(await open.count()).toBe(1);
    expect(await open.innerText()).toContain('/api/public/v1/balance');

    const groups = await documentedGroups();
    expect(await reference.groups()).toEqual(groups);
    expect(groups.flatMap(({ operations }) => operations).length).toBeGreaterThanOrEqual(9);
  });

  it('makes calls with the key of the reader, and shows each answer with what it cost, or what is wrong with the call', async () => {
    const account = await createFundedAccount({ credits: 3 });
    const visitor = await browser.newVisitor();
    visitor.allow(/status of 40[012]/);
    const reference = await ReferencePage.in(await visitor.open(docs()));
    const operation = await reference.tryOut(search);
    await operation.fill('country', catalog.country);
    expect(await operation.execute()).toMatchObject({
      status: '401',
      body: { error: expect.stringContaining('An API key is required') as string },
    });

    await reference.enterKey(account.key);
    const found = await operation.execute();
    expect(found).toMatchObject({
      status: '200',
      body: { total: 2, returned: 2, credits_used: 2, credits_remaining: 1 },
    });
    expect(found.headers).toContain('x-credits-used: 2');
    expect(found.headers).toContain('x-credits-remaining: 1');

    expect(await operation.execute()).toMatchObject({
      status: '402',
      body: { credits_needed: 2, credits_remaining: 1 },
    });
    await operation.fill('cursor', 'none');
    expect(await operation.execute()).toMatchObject({ status: '400', body: { details: { cursor: [/./] } } });
    await eventually(async () => expect(await admin.balance(account.id)).toBe(1), shownWithinMs);
  });

  it('keeps the key in its memory, and sends it only with calls', async () => {
    const { key } = await createFundedAccount();
    const visitor = await browser.newVisitor();
    const reference = await ReferencePage.in(await visitor.open(docs()));
    const { page } = reference;
    await reference.enterKey(key);
    await (await reference.tryOut('getBalance')).execute();

    expect(await visitor.context.storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
    expect(await page.evaluate(() => [sessionStorage.length, window.name])).toEqual([0, '']);
    expect(page.url()).not.toContain(key);
    const sent = await Promise.all(
      visitor.requests.map(async (request) => [request.url(), JSON.stringify(await request.allHeaders())]),
    );
    const withKey = sent.filter((parts) => parts.join().includes(key));
    expect(withKey.map(([url]) => url)).toEqual([environment.publicUrl + paths.balance]);

    visitor.allow(/status of 401/);
    await page.reload();
    const reloaded = await ReferencePage.in(page);
    await page.getByRole('button', { name: 'Try it out' }).waitFor();
    expect(await (await reloaded.tryOut('getBalance')).execute()).toMatchObject({ status: '401' });
    expect(await page.content()).not.toContain(key);
  });

  it('leads to the document without JavaScript', async () => {
    const visitor = await browser.newVisitor({ javaScriptEnabled: false });
    const page = await visitor.open(docs());
    await page.getByRole('link', { name: 'the OpenAPI document' }).click();
    expect(page.url()).toBe(`${environment.publicUrl}/openapi.json`);
  });
});
