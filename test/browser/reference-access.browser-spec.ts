import { eventually } from '@app/testing';
import { createFundedAccount } from '../support/accounts.js';
import { describeInBrowser } from './support/browser-suite.js';
import { hasFocus, tabTo } from './support/keyboard.js';
import { overflowsOf, schemeProblems } from './support/looks.js';
import { ReferencePage } from './support/reference-page.js';
import { widths } from './support/visitor.js';

// axe looks at the whole reference.
jest.setTimeout(30_000);

const shownWithinMs = 10_000;
describeInBrowser('the reference page for everyone', (browser) => {
  it.each(['phone', 'desktop'] as const)('is accessible in both schemes: %s', async (device) => {
    const { key } = await createFundedAccount();
    const reference = await ReferencePage.in(await browser.open('/docs', { width: widths[device] }));
    const { page, keyDialog } = reference;
    expect(await schemeProblems(page)).toEqual([]);

    await reference.keyButton.click();
    await keyDialog.waitFor();
    expect(await schemeProblems(page)).toEqual([]);

    await page.keyboard.press('Escape');
    await reference.enterKey(key);
    const operation = await reference.tryOut('lookUpAccounts');
    await operation.execute();
    await operation.showSchema();
    expect(await schemeProblems(page)).toEqual([]);
  });

  it('fits every width', async () => {
    const { key } = await createFundedAccount();
    const reference = await ReferencePage.in(await browser.open('/docs'));
    const { page } = reference;
    expect(await overflowsOf(page, 'reference')).toEqual([]);
    await reference.enterKey(key);
    const operation = await reference.tryOut('searchCreators');
    await operation.execute();
    const schema = await operation.showSchema();
    expect(await overflowsOf(page, 'reference with an answer')).toEqual([]);
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      expect((await schema.boundingBox())?.width).toBeGreaterThan(0.7 * width);
    }
  });

  it('can be used with only the keyboard', async () => {
    const { key } = await createFundedAccount();
    const { page, keyButton, keyDialog } = await ReferencePage.in(await browser.open('/docs'));
    await tabTo(page, keyButton);
    await page.keyboard.press('Enter');
    await keyDialog.getByRole('textbox', { name: 'API key' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await keyDialog.getByRole('button', { name: 'Logout' }).waitFor();
    await tabTo(page, keyDialog.locator('.btn-done'));
    await page.keyboard.press('Enter');
    await keyDialog.waitFor({ state: 'detached' });
    expect(await hasFocus(keyButton)).toBe(true);

    await tabTo(page, page.getByRole('button', { name: '/api/public/v1/balance Your credits' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Try it out' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Execute' }));
    await page.keyboard.press('Enter');
    await page.locator('.live-responses-table').getByText('credits_remaining').first().waitFor();
  });

  it('keeps the focus in its dialog, and gives it back when the dialog is left', async () => {
    const { page, keyButton, keyDialog } = await ReferencePage.in(await browser.open('/docs'));
    await keyButton.click();
    const input = keyDialog.getByRole('textbox', { name: 'API key' });
    await input.and(page.locator(':focus')).waitFor();
    await tabTo(page, keyDialog.locator('.btn-done'));
    await page.keyboard.press('Tab');
    expect(await hasFocus(input)).toBe(true);
    await page.keyboard.press('Escape');
    await keyDialog.waitFor({ state: 'detached' });
    expect(await hasFocus(keyButton)).toBe(true);
  });

  it('follows the colours of the system while it is open', async () => {
    const { page } = await ReferencePage.in(await browser.open('/docs'));
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(async () => expect(await background()).not.toBe(light), shownWithinMs);
    await page.emulateMedia({ colorScheme: 'light' });
    await eventually(async () => expect(await background()).toBe(light), shownWithinMs);
  });
});
