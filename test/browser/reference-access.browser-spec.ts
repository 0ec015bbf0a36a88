import { createFundedAccount } from '../support/accounts.js';
import { describeInBrowser } from './support/browser-suite.js';
import { hasFocus, tabTo } from './support/keyboard.js';
import { problemsOf } from './support/looks.js';
import { docs, tryOut } from './support/reference-page.js';
import { widths } from './support/visitor.js';

describeInBrowser('the documentation for everyone', (browser) => {
  it.each(['', '/prices', '/client', '/mcp', '/nothing'])(
    '/docs%s is accessible in both schemes and fits every width',
    async (path) => {
      const visitor = await browser.newVisitor();
      visitor.allow(/status of 404/);
      const page = await visitor.open(docs(path));
      expect(await problemsOf(page, path)).toEqual([]);
    },
  );

  it('the reference is, with an answer', async () => {
    const { key } = await createFundedAccount();
    const page = await browser.open(docs('/reference'));
    const operation = await tryOut(page, 'getBalance');
    await operation.fill('API key', key);
    await operation.send();
    expect(await problemsOf(page, 'an answer')).toEqual([]);
  });

  it('shows its pages on a phone when asked', async () => {
    const page = await browser.open(docs('/limits'), widths.phone);
    const pages = page.getByRole('navigation', { name: 'Documentation' });
    expect(await pages.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'All pages' }).click();
    await pages.getByRole('link', { name: 'Prices', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'What a call costs' }).waitFor();
  });

  it('can be used with only the keyboard', async () => {
    const { key } = await createFundedAccount();
    const page = await browser.open(docs('/reference'));
    const operation = page.locator('.try', { has: page.locator('form[aria-label="Try getBalance"]') });
    await operation.locator('summary').focus();
    await page.keyboard.press('Enter');
    const field = operation.getByLabel('API key');
    await tabTo(page, field);
    expect(await hasFocus(field)).toBe(true);
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await operation.getByText('200').first().waitFor();
  });
});
