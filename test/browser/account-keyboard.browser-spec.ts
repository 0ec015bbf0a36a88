import { eventually, type PageVisitor } from '#testing';
import { adjust } from '../support/accounts.js';
import { api } from '../support/public-api.js';
import { createKeyOnPage, newOwner } from '../support/members.js';
import { randomWord } from '../support/random.js';
import { browserOf, press } from './support/account-suite.js';
import { describeInBrowser } from './support/browser-suite.js';
import { hasFocus, tabTo } from './support/keyboard.js';

describeInBrowser('the account pages', (browser) => {
  let owner: PageVisitor;
  let key: string;
  beforeAll(async () => {
    const made = await newOwner();
    owner = made.owner;
    await adjust(made.account.id, 50);
    key = await createKeyOnPage(owner, 'Crawler');
    await api.search({ country: randomWord() }, key);
  });

  it('can be used with only the keyboard: each step shows the focus', async () => {
    const page = await (await browserOf(browser, owner)).open('/account');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    expect(await hasFocus(skip)).toBe(true);
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);

    await tabTo(page, page.locator('.account-menu summary'));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Sign out' }));
    await tabTo(page, page.getByRole('link', { name: 'API keys' }));
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);

    await tabTo(page, page.getByRole('link', { name: 'Delete Crawler' }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete Crawler?' });
    await dialog.waitFor();
    expect(await hasFocus(dialog)).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(page.getByRole('link', { name: 'Delete Crawler' }))).toBe(true);

    await tabTo(page, page.getByRole('button', { name: 'Dark' }));
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
  });

  it('show the figures of a bar to the arrow keys and to the pointer', async () => {
    await eventually(
      async () => expect((await owner.get('/account')).text).toContain('Search: no match'),
      10_000,
    );
    const page = await (await browserOf(browser, owner)).open('/account');
    const chart = page.locator('[data-chart]');
    await tabTo(page, chart);
    await page.keyboard.press('End');
    await chart.getByText('searches 1, profiles 0').waitFor();
    await page.keyboard.press('ArrowLeft');
    await chart.getByText('searches 0, profiles 0').waitFor();
    await chart.locator('.bar').last().hover();
    await chart.getByText('searches 1, profiles 0').waitFor();
  });

  it('say once what was done, and move the focus there', async () => {
    const page = await (await browserOf(browser, owner)).open('/account/settings');
    await page.getByLabel('Notify me when the balance falls below').fill('25');
    await press(page, 'Save notifications');
    const done = page.getByRole('status').filter({ hasText: 'Notification settings saved.' });
    await done.waitFor();
    expect(await hasFocus(done)).toBe(true);
    expect(await page.getByLabel('Notify me when the balance falls below').inputValue()).toBe('25');
    await page.reload();
    expect(await done.count()).toBe(0);
  });

  it('ask once before a key is lost that was not copied', async () => {
    const page = await (await browserOf(browser, owner)).open('/account/keys');
    await page.getByLabel('Name', { exact: true }).fill('Lost');
    await press(page, 'Create key');
    // Browsers ask only after the page was touched.
    await page.getByRole('heading', { name: 'New key' }).click();
    const asked = page.waitForEvent('dialog');
    const leaving = page.getByRole('link', { name: 'Overview' }).click({ noWaitAfter: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await leaving;
    await press(page, 'Overview', 'link');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('show errors as pages', async () => {
    const visitor = await browserOf(browser, owner);
    visitor.allow(/status of 404/);
    const page = await visitor.open('/account/nothing');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await press(page, 'Go to the home page', 'link');
    await press(page, 'Go to your account', 'link');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
