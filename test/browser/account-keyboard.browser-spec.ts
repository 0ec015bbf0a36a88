import { type PageVisitor } from '#testing';
import { createKeyOnPage, newOwner } from '../support/members.js';
import { browserOf, press } from './support/account-suite.js';
import { describeInBrowser } from './support/browser-suite.js';
import { hasFocus, tabTo } from './support/keyboard.js';

describeInBrowser('the account pages', (browser) => {
  let owner: PageVisitor;
  beforeAll(async () => {
    ({ owner } = await newOwner());
    await createKeyOnPage(owner, 'Crawler');
  });

  it('can be used with only the keyboard: each step shows the focus', async () => {
    const visitor = await browserOf(browser, owner);
    visitor.allow(/status of 400/);
    const page = await visitor.open('/account');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    expect(await hasFocus(skip)).toBe(true);
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);

    await tabTo(page, page.getByRole('link', { name: 'API keys' }));
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await tabTo(page, page.getByRole('button', { name: 'Sign out' }));

    for (const name of ['More for Crawler', 'Delete Crawler']) {
      await tabTo(page, page.getByLabel(name, { exact: true }));
      await page.keyboard.press('Space');
    }
    await tabTo(page, page.getByLabel('Type Crawler to delete it'));
    await page.keyboard.type('Krawler');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await page.getByText("The name doesn't match.").waitFor();
    expect(await hasFocus(page.getByLabel('Type Crawler to delete it'))).toBe(true);
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
    await page.locator('#new-key-name').fill('Lost');
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
});
