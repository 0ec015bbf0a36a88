import { eventually, writePastYear, type PageVisitor } from '#testing';
import { type Account, admin, succeeded } from '../support/admin-api.js';
import { adjust, createKey, purchase } from '../support/accounts.js';
import { environment } from '../support/environment.js';
import { createKeyOnPage, inviteOnPage, signedIn } from '../support/members.js';
import { api } from '../support/public-api.js';
import { endOfCall } from '../support/calls.js';
import { randomWord } from '../support/random.js';
import { allowPaying, browserOf, memberPages, press } from './support/account-suite.js';
import { describeInBrowser } from './support/browser-suite.js';
import { overflowsOf, problemsOf } from './support/looks.js';

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

const pages: Readonly<Record<string, string>> = {
  ...memberPages,
  'usage by key': '/account/usage?days=90&by=key',
  'usage of a year': `/account/usage?from=${day(364)}&to=${day(0)}`,
};

async function newAccount(name: string, emailName: string): Promise<string> {
  const email = `${emailName}@${randomWord()}.example`;
  return succeeded(await admin.call<Account>('POST', '/accounts', { name, email })).id;
}

/** An owner without any data, with long names. */
async function newcomer(): Promise<PageVisitor> {
  const name = 'Weitblick Creator Marketing und Influencer-Agentur GmbH, Köln';
  return signedIn(await newAccount(name, 'buchhaltung.und.einkauf.der.agentur'));
}

/** An owner with one call. */
async function beginner(): Promise<PageVisitor> {
  const id = await newAccount('Weitblick', 'jana');
  await adjust(id, 50);
  const owner = await signedIn(id);
  const key = await createKeyOnPage(owner, 'Crawler');
  const answer = await api.search({ country: randomWord() }, key);
  await endOfCall(String(answer.headers['x-request-id']), key);
  return owner;
}

/** An owner with a year of calls, where the database can be reached. */
async function regular(): Promise<PageVisitor> {
  const id = await newAccount('Weitblick', 'jana');
  const names = [
    'Campaign planner',
    'CRM sync',
    'Nightly export of all profiles for the reporting in Köln',
    'Slack bot',
  ];
  const keys = [];
  for (const name of names) keys.push(await createKey(id, name));
  const { billingDatabaseUrl } = environment;
  if (billingDatabaseUrl !== undefined) {
    await writePastYear(billingDatabaseUrl, { accountId: id, keyIds: keys.map((key) => key.id) });
  }
  await purchase(id, { pack: 'builder' });
  return signedIn(id);
}

const accounts = [
  { account: 'no data', make: newcomer, names: ['overview', 'keys', 'usage', 'statement', 'settings'] },
  { account: 'one call', make: beginner, names: ['overview', 'usage'] },
  { account: 'a year of calls', make: regular, names: Object.keys(pages) },
] as const;

const itWithOrders = environment.paymentsUrl ? it : it.skip;

describeInBrowser('the account pages', (browser) => {
  it.each(accounts)(
    'fit every width and are accessible in both schemes: $account',
    async ({ make, names }) => {
      const visitor = await browserOf(browser, await make());
      const page = await visitor.open('/account');
      const problems: string[] = [];
      for (const name of names) {
        await page.goto(pages[name] ?? '');
        problems.push(...(await (name in memberPages ? problemsOf : overflowsOf)(page, name)));
      }
      const [call] = await page.locator('a[href^="/account/calls/"]').all();
      if (call) {
        await Promise.all([page.waitForEvent('load'), call.click()]);
        problems.push(...(await problemsOf(page, 'call')));
      }
      expect(problems).toEqual([]);
    },
  );

  itWithOrders('fit and are accessible: an order and an invitation', async () => {
    const id = await newAccount('Weitblick', 'jana');
    const owner = await signedIn(id);
    const visitor = await browserOf(browser, owner);
    allowPaying(visitor);
    const page = await visitor.open('/account/buy');
    await press(page, 'Buy 500 credits');
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await press(page, 'Pay $149.00');
    await eventually(async () => {
      await page.reload();
      expect(await page.getByRole('link', { name: 'Invoice', exact: true }).count()).toBe(1);
    });
    const problems = await problemsOf(page, 'order');

    const email = `ben@${randomWord()}.example`;
    await inviteOnPage(owner, email);
    const invited = await (await browserOf(browser, await signedIn(id, email))).open('/account/accounts');
    problems.push(...(await problemsOf(invited, 'invitation')));
    expect(problems).toEqual([]);
  });

  it('fit and are accessible: a new key, folded forms and the sign-in', async () => {
    const owner = await beginner();
    const visitor = await browserOf(browser, owner);
    visitor.allow(/status of 40[14]/);
    const page = await visitor.open('/account/keys');
    for (const form of await page.locator('summary').all()) await form.click();
    const problems = await problemsOf(page, 'folded forms');
    await page.locator('#new-key-name').fill('Campaign planner');
    await press(page, 'Create key');
    problems.push(...(await problemsOf(page, 'new key')));
    await page.getByRole('button', { name: 'Copy key' }).click();
    for (const path of ['/account/nothing', '/account/sign-in/link?token=old', '/account/sign-in']) {
      await page.goto(path);
      problems.push(...(await problemsOf(page, path)));
    }
    expect(problems).toEqual([]);
  });
});
