import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Page } from 'playwright-core';
import { environment } from '../support/environment.js';
import { KeyPool } from '../support/key-pool.js';
import { randomWord } from '../support/random.js';
import { linkIn, mailTo } from '../support/selling.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { accessibilityProblems } from './support/accessibility.js';
import { allowPaying, press } from './support/account-suite.js';
import { describeInBrowser } from './support/browser-suite.js';
import { overflowOf } from './support/overflow.js';
import { savePictures } from './support/pictures.js';
import { widths } from './support/visitor.js';

const catalog = new SuiteCatalog();
const journeyOf = environment.paymentsUrl ? it : it.skip;

/** At every width and in both schemes. */
async function problemsOf(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const width of Object.values(widths)) {
    await page.setViewportSize({ width, height: 900 });
    if ((await overflowOf(page)) > 0) problems.push(`too wide at ${width}`);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    problems.push(...(await accessibilityProblems(page)));
  }
  return problems;
}

describeInBrowser('the home page', (browser) => {
  beforeAll(() => catalog.importVisible([catalog.record('someone')], new KeyPool()));
  afterAll(() => catalog.remove());

  it.each(['/', '/nothing'])('%s fits every width and is accessible in both schemes', async (path) => {
    const visitor = await browser.newVisitor();
    visitor.allow(/status of 404/);
    const page = await visitor.open(path);
    expect(await problemsOf(page)).toEqual([]);
    if (path === '/') await savePictures(page, 'home');
  });

  it('has a theme that holds on the reference page too, and back', async () => {
    const visitor = await browser.newVisitor();
    const page = await visitor.open('/');
    await press(page, 'Dark');
    expect(new URL(page.url()).pathname).toBe('/');
    await press(page, 'API reference', 'link');
    await page.locator('html.dark-mode').waitFor({ state: 'attached' });
    await press(page, 'Light');
    expect(new URL(page.url()).pathname).toBe('/docs');
    await page.locator('html:not(.dark-mode)').waitFor({ state: 'attached' });
    await press(page, 'Creator Search', 'link');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
  });

  journeyOf(
    'leads to a first paid call: sign up, buy, create a key, run the command that is shown',
    async () => {
      const visitor = await browser.newVisitor();
      allowPaying(visitor);
      const page = await visitor.open('/');
      await press(page, 'Sign up', 'link');
      const email = `${randomWord()}@newcomer.example`;
      await page.getByLabel('Email address').fill(email);
      await press(page, 'Send link and code');
      await page.goto(linkIn(await mailTo(email)));
      await press(page, 'Sign in');
      await press(page, 'Buy credits', 'link');
      await press(page, 'Buy 50 credits');
      await page.getByLabel('Card number').fill('4242 4242 4242 4242');
      await press(page, 'Pay $19.00');
      await press(page, 'API keys', 'link');
      await page.getByLabel('Name', { exact: true }).fill('First key');
      await press(page, 'Create key');
      const command = await page.getByRole('region', { name: 'command', exact: true }).innerText();
      const { stdout } = await promisify(execFile)('sh', ['-c', `${command.trim()} --silent`]);
      expect(JSON.parse(stdout)).toMatchObject({ credits_used: 1, credits_remaining: 49 });
    },
  );
});
