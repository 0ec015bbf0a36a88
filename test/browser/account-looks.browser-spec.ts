import { type PageVisitor } from '#testing';
import { type Account, admin, succeeded } from '../support/admin-api.js';
import { adjust } from '../support/accounts.js';
import { createKeyOnPage, inviteOnPage, newOwner, signedIn } from '../support/members.js';
import { api } from '../support/public-api.js';
import { endOfCall } from '../support/calls.js';
import { randomWord } from '../support/random.js';
import { browserOf } from './support/account-suite.js';
import { describeInBrowser } from './support/browser-suite.js';
import { problemsOf } from './support/looks.js';

/** An owner without any data, with long names. */
async function newcomer(): Promise<PageVisitor> {
  const name = 'Weitblick Creator Marketing und Influencer-Agentur GmbH, Köln';
  const email = `buchhaltung.und.einkauf.der.agentur@${randomWord()}.example`;
  return signedIn(succeeded(await admin.call<Account>('POST', '/accounts', { name, email })).id);
}

/** An owner with one call, and an invitation to another account. */
async function beginner(): Promise<PageVisitor> {
  const { account, owner } = await newOwner();
  await adjust(account.id, 50);
  await inviteOnPage((await newOwner()).owner, account.email);
  const key = await createKeyOnPage(owner, 'Nightly export of all profiles for the reporting in Köln');
  const answer = await api.search({ country: randomWord() }, key);
  await endOfCall(String(answer.headers['x-request-id']), key);
  return owner;
}

const pages = [
  '/account',
  '/account/keys',
  '/account/buy',
  '/account/usage',
  '/account/usage?days=90&by=key',
  '/account/statement',
  '/account/settings',
  '/account/accounts',
];

describeInBrowser('the account pages', (browser) => {
  it.each([
    ['no data', newcomer],
    ['one call', beginner],
  ])('fit every width and are accessible in both schemes: %s', async (_account, make) => {
    const visitor = await browserOf(browser, await make());
    const page = await visitor.open('/account');
    const problems: string[] = [];
    for (const path of pages) {
      await page.goto(path);
      problems.push(...(await problemsOf(page, path)));
    }
    const [call] = await page.locator('a[href^="/account/calls/"]').all();
    if (call) {
      await Promise.all([page.waitForEvent('load'), call.click()]);
      problems.push(...(await problemsOf(page, 'call')));
    }
    expect(problems).toEqual([]);
  });

  it('fit and are accessible: folded forms and the sign-in', async () => {
    const visitor = await browserOf(browser, await beginner());
    visitor.allow(/status of 40[14]/);
    const page = await visitor.open('/account/keys');
    for (const form of await page.locator('summary').all()) await form.click();
    const problems = await problemsOf(page, 'folded forms');
    for (const path of ['/account/nothing', '/account/sign-in/link?token=old', '/account/sign-in']) {
      await page.goto(path);
      problems.push(...(await problemsOf(page, path)));
    }
    expect(problems).toEqual([]);
  });
});
