import { eventually, type PageVisitor } from '#testing';
import { type Account, admin, succeeded } from '../support/admin-api.js';
import { adjust } from '../support/accounts.js';
import { environment } from '../support/environment.js';
import { createKeyOnPage, inviteOnPage, signedIn } from '../support/members.js';
import { api } from '../support/public-api.js';
import { endOfCall } from '../support/calls.js';
import { randomWord } from '../support/random.js';
import { allowPaying, browserOf, memberPages, press } from './support/account-suite.js';
import { describeInBrowser } from './support/browser-suite.js';
import { problemsOf } from './support/looks.js';

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
  const key = await createKeyOnPage(owner, 'Nightly export of all profiles for the reporting in Köln');
  const answer = await api.search({ country: randomWord() }, key);
  await endOfCall(String(answer.headers['x-request-id']), key);
  return owner;
}

const pages = { ...memberPages, 'usage by key': '/account/usage?days=90&by=key' };

const itWithOrders = environment.paymentsUrl ? it : it.skip;

describeInBrowser('the account pages', (browser) => {
  it.each([
    ['no data', newcomer],
    ['one call', beginner],
  ])('fit every width and are accessible in both schemes: %s', async (_account, make) => {
    const visitor = await browserOf(browser, await make());
    const page = await visitor.open('/account');
    const problems: string[] = [];
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path);
      problems.push(...(await problemsOf(page, name)));
    }
    const [call] = await page.locator('a[href^="/account/calls/"]').all();
    if (call) {
      await Promise.all([page.waitForEvent('load'), call.click()]);
      problems.push(...(await problemsOf(page, 'call')));
    }
    expect(problems).toEqual([]);
  });

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
