import { press } from './support/account-suite.js';
import { docs } from './support/reference-page.js';
import { describeInBrowser } from './support/browser-suite.js';
import { problemsOf } from './support/looks.js';
import { savePictures } from './support/pictures.js';

describeInBrowser('the home page', (browser) => {
  it.each(['/', '/nothing'])('%s fits every width and is accessible in both schemes', async (path) => {
    const visitor = await browser.newVisitor();
    visitor.allow(/status of 404/);
    const page = await visitor.open(path);
    expect(await problemsOf(page, path)).toEqual([]);
    if (path === '/') await savePictures(page, 'home');
  });

  it('has a theme that holds on other pages too, and leads to the reference', async () => {
    const visitor = await browser.newVisitor();
    const page = await visitor.open('/');
    await press(page, 'Dark');
    expect(new URL(page.url()).pathname).toBe('/');
    await press(page, 'API reference', 'link');
    expect(page.url()).toBe(docs());
    await page.goBack();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });
});
