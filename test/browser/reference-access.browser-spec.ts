import { eventually } from '#testing';
import { createFundedAccount } from '../support/accounts.js';
import { describeInBrowser } from './support/browser-suite.js';
import { hasFocus, tabTo } from './support/keyboard.js';
import { overflowsOf, schemeProblems } from './support/looks.js';
import { docs, ReferencePage } from './support/reference-page.js';
import { widths } from './support/visitor.js';

const shownWithinMs = 10_000;
describeInBrowser('the reference page for everyone', (browser) => {
  it('is accessible in both schemes, fits every width and follows the colours of the system', async () => {
    const { key } = await createFundedAccount();
    const reference = await ReferencePage.in(await browser.open(docs()));
    const { page, keyDialog } = reference;
    expect(await overflowsOf(page, 'reference')).toEqual([]);
    expect(await schemeProblems(page)).toEqual([]);

    await reference.keyButton.click();
    await keyDialog.waitFor();
    expect(await schemeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await reference.enterKey(key);
    const operation = await reference.tryOut('searchCreators');
    await operation.execute();
    const schema = await operation.showSchema();
    expect(await overflowsOf(page, 'reference with an answer')).toEqual([]);
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      expect((await schema.boundingBox())?.width).toBeGreaterThan(0.7 * width);
    }
    await page.setViewportSize({ width: widths.phone, height: 900 });
    expect(await schemeProblems(page)).toEqual([]);

    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.emulateMedia({ colorScheme: 'light' });
    await eventually(async () => expect(await background()).not.toBe(dark), shownWithinMs);
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(async () => expect(await background()).toBe(dark), shownWithinMs);
  });

  it('can be used with only the keyboard: its dialog keeps the focus, and gives it back when it is left', async () => {
    const { key } = await createFundedAccount();
    const { page, keyButton, keyDialog } = await ReferencePage.in(await browser.open(docs()));
    const input = keyDialog.getByRole('textbox', { name: 'API key' });
    await tabTo(page, keyButton);
    await page.keyboard.press('Enter');
    await input.and(page.locator(':focus')).waitFor();
    await tabTo(page, keyDialog.locator('.btn-done'));
    await page.keyboard.press('Tab');
    expect(await hasFocus(input)).toBe(true);
    await page.keyboard.press('Escape');
    await keyDialog.waitFor({ state: 'detached' });
    expect(await hasFocus(keyButton)).toBe(true);

    await page.keyboard.press('Enter');
    await input.and(page.locator(':focus')).waitFor();
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await keyDialog.getByRole('button', { name: 'Logout' }).waitFor();
    await tabTo(page, keyDialog.locator('.btn-done'));
    await page.keyboard.press('Enter');
    await keyDialog.waitFor({ state: 'detached' });
    expect(await hasFocus(keyButton)).toBe(true);
  });
});
