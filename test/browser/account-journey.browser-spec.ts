import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from '#testing';
import { type Page } from 'playwright-core';
import { environment } from '../support/environment.js';
import { KeyPool } from '../support/key-pool.js';
import { randomWord } from '../support/random.js';
import { api } from '../support/public-api.js';
import { codeIn, linkIn, mailTo } from '../support/selling.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { allowPaying, press } from './support/account-suite.js';
import { describeInBrowser } from './support/browser-suite.js';
import { problemsOf } from './support/looks.js';
import { widths, type Visitor } from './support/visitor.js';

type SignIn = (page: Page, email: string) => Promise<void>;

const byCode: SignIn = async (page, email) => {
  await page.getByLabel('Six-digit code').fill(codeIn(await mailTo(email)));
  await press(page, 'Sign in');
};

const byLink: SignIn = async (page, email) => {
  await page.goto(linkIn(await mailTo(email)));
  await press(page, 'Sign in');
};

const journeys = [
  { device: 'desktop', width: widths.desktop, scripts: true, signIn: byCode },
  { device: 'phone', width: widths.phone, scripts: true, signIn: byLink },
  { device: 'browser without scripts', width: widths.desktop, scripts: false, signIn: byLink },
] as const;

async function signUp(page: Page, signIn: SignIn): Promise<void> {
  await press(page, 'Sign up', 'link');
  await page.getByRole('heading', { name: 'Sign up' }).waitFor();
  const email = `${randomWord()}@newcomer.example`;
  await page.getByLabel('Email address').fill(email);
  await press(page, 'Send link and code');
  await signIn(page, email);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('No credits yet').waitFor();
}

async function buyTrial(page: Page): Promise<void> {
  await press(page, 'Buy credits', 'link');
  await press(page, 'Buy 50 credits');
  expect(new URL(page.url()).origin).toBe(environment.paymentsUrl);
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await press(page, 'Pay $19.00');
  await page.getByText('Paid. 50 credits were added to your account.').waitFor();
}

/** Creates a key and returns it as its owner gets it: copied by the button where there is one. */
async function createKey(page: Page, name: string, scripts: boolean): Promise<string> {
  await press(page, 'API keys', 'link');
  await page.locator('#new-key-name').fill(name);
  await press(page, 'Create key');
  const shown = await page.getByRole('region', { name: 'key', exact: true }).innerText();
  const copy = page.getByRole('button', { name: 'Copy key' });
  if (!scripts) {
    expect(await copy.isVisible()).toBe(false);
    return shown.trim();
  }
  await copy.click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown.trim());
  return shown.trim();
}

/** Runs the command that the page of a new key shows; returns the answer. */
async function runCommand(page: Page): Promise<unknown> {
  const command = await page.getByRole('region', { name: 'command', exact: true }).innerText();
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command.trim()} --silent`]);
  return JSON.parse(stdout);
}

async function deleteKey(page: Page, name: string): Promise<void> {
  await press(page, 'API keys', 'link');
  await page.getByLabel(`More for ${name}`, { exact: true }).click();
  await page.getByLabel(`Delete ${name}`, { exact: true }).click();
  await page.getByLabel(`Type ${name} to delete it`).fill(name);
  await press(page, 'Delete key');
  await page.getByText('Key deleted.').waitFor();
}

const journeysOf = environment.paymentsUrl ? it : it.skip;

const catalog = new SuiteCatalog();

describeInBrowser('the journey of a new customer', (browser) => {
  beforeAll(() => catalog.importVisible([catalog.record('someone')], new KeyPool()));
  afterAll(() => catalog.remove());

  journeysOf.each(journeys)(
    'leads from the home page to a paid call and a deleted key: $device',
    async ({ device, width, scripts, signIn }) => {
      const visitor: Visitor = await browser.newVisitor({ javaScriptEnabled: scripts });
      allowPaying(visitor);
      if (scripts) await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const page = await visitor.open('/', width);
      await signUp(page, signIn);
      const assertLooks = async (name: string): Promise<void> => {
        if (device === 'desktop') expect(await problemsOf(page, name)).toEqual([]);
      };
      await buyTrial(page);
      await assertLooks('order');
      const key = await createKey(page, 'Campaign planner', scripts);
      await assertLooks('new key');

      const nobody = randomWord();
      expect((await api.search({ country: nobody }, key)).status).toBe(200);
      expect(await runCommand(page)).toMatchObject({ credits_used: 1, credits_remaining: 49 });
      await press(page, 'All keys', 'link');
      // Neither the back button nor loading the page again shows the key, or replaces it.
      await page.goBack();
      await page.getByText('This key was shown once.').waitFor();
      await page.reload();
      await page.getByText('This key was shown once.').waitFor();
      expect(await page.content()).not.toContain(key);
      expect((await api.search({ country: nobody }, key)).status).toBe(200);
      await press(page, 'All keys', 'link');
      await press(page, 'Usage', 'link');
      await eventually(async () => {
        await page.reload();
        expect(await page.getByText('3 calls').count()).toBeGreaterThan(0);
      }, 10_000);
      await press(page, 'Search: no match', 'link');
      // The time of the call: of the device, unless nothing runs there that knows it.
      const time = page.locator('time').first();
      expect((await time.innerText()).endsWith(' UTC')).toBe(!scripts);
      expect(await time.getAttribute('title')).toMatch(/:\d\d:\d\d UTC$/);

      await deleteKey(page, 'Campaign planner');
      await eventually(async () => expect((await api.search({ limit: 3 }, key)).status).toBe(401), 5_000);
    },
  );
});
