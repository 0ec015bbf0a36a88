import { eventually } from '#testing';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { environment } from '../support/environment.js';
import { KeyPool } from '../support/key-pool.js';
import { paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { describeInBrowser } from './support/browser-suite.js';
import { docs, tryOut } from './support/reference-page.js';

const shownWithinMs = 10_000;

describeInBrowser('the reference', (browser) => {
  const catalog = new SuiteCatalog();
  beforeAll(() => catalog.importVisible([catalog.record('ada'), catalog.record('bea')], new KeyPool()));
  afterAll(() => catalog.remove());

  it('makes calls with the key of the reader, and shows each answer with what it cost, or what is wrong with the call', async () => {
    const account = await createFundedAccount({ credits: 3 });
    const visitor = await browser.newVisitor();
    visitor.allow(/status of 40[012]/);
    const operation = await tryOut(await visitor.open(docs('/reference')), 'searchCreators');
    await operation.fill('country', catalog.country);
    expect(await operation.send()).toMatchObject({
      status: '401',
      body: { error: expect.stringContaining('An API key is required') as string },
    });

    await operation.fill('API key', account.key);
    const found = await operation.send();
    expect(found).toMatchObject({
      status: '200',
      body: { total: 2, returned: 2, credits_used: 2, credits_remaining: 1 },
    });
    expect(found.headers).toContain('x-credits-used: 2');
    expect(found.headers).toContain('x-credits-remaining: 1');

    expect(await operation.send()).toMatchObject({
      status: '402',
      body: { credits_needed: 2, credits_remaining: 1 },
    });
    const links = await tryOut(operation.block.page(), 'lookUpAccounts');
    expect(await links.send()).toMatchObject({ status: '200', body: { results: [{}, {}] } });
    await operation.fill('cursor', 'none');
    expect(await operation.send()).toMatchObject({ status: '400', body: { details: { cursor: [/./] } } });
    await eventually(async () => expect(await admin.balance(account.id)).toBe(1), shownWithinMs);
  });

  it('keeps the key in its memory, and sends it only with calls', async () => {
    const { key } = await createFundedAccount();
    const visitor = await browser.newVisitor();
    const page = await visitor.open(docs('/reference'));
    await (await tryOut(page, 'getUsage')).fill('API key', key);
    await (await tryOut(page, 'getBalance')).send();

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
    expect(await (await tryOut(page, 'getBalance')).send()).toMatchObject({ status: '401' });
  });

  it('shows all samples in the language that was chosen once', async () => {
    const page = await browser.open(docs('/reference'));
    await page.getByText('Python', { exact: true }).first().click();
    const samples = page.getByRole('group', { name: 'Code, Python' });
    expect(await samples.count()).toBeGreaterThanOrEqual(9);
    expect(await page.getByRole('group', { name: 'Code, curl' }).count()).toBe(0);
  });

  it('is read without JavaScript, with samples in each language', async () => {
    const page = await (await browser.newVisitor({ javaScriptEnabled: false })).open(docs('/reference'));
    expect(await page.getByText('Try it').first().isVisible()).toBe(false);
    await page.getByText('TypeScript', { exact: true }).first().click();
    expect(await page.getByRole('group', { name: 'Code, TypeScript' }).count()).toBe(1);
    await page.getByRole('link', { name: 'the OpenAPI document' }).click();
    expect(page.url()).toBe(`${environment.publicUrl}/openapi.json`);
  });
});
