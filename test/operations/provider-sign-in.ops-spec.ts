import { randomUUID } from 'node:crypto';
import { freePort, type Stack } from '#local-stack';
import {
  MailInbox,
  MailListing,
  OpenIdTestProvider,
  type PageVisitor,
  runSql,
  type ShownPage,
} from '#testing';
import { createAccount } from '../support/accounts.js';
import { type Account, admin, succeeded } from '../support/admin-api.js';
import { newVisitor } from '../support/members.js';
import { randomWord } from '../support/random.js';
import { setRules, signInByMail } from '../support/sign-in-rules.js';
import { startOperatedStack } from './support/operated-stack.js';

const overview = '/account';

type Claims = OpenIdTestProvider['claims'];

let provider: OpenIdTestProvider;
let inbox: MailInbox;
let mails: MailListing;
let stack: Stack;
beforeAll(async () => {
  provider = await OpenIdTestProvider.start();
  inbox = await MailInbox.start();
  mails = await MailListing.start(inbox);
  process.env.MAIL_LISTING_URL = mails.url;
  const publicPort = await freePort();
  stack = await startOperatedStack({
    publicPort,
    environment: {
      ...provider.environment,
      PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
      MAIL_URL: inbox.url,
      MAIL_FROM: 'Creator Search <no-reply@search.example>',
      SIGN_UP: 'invite',
    },
  });
}, 120_000);
// The provider does not say how clients may authenticate: they use `Basic`.
beforeEach(() => provider.reset());
afterAll(async () => {
  await stack?.stop();
  await Promise.all([provider?.stop(), mails?.stop(), inbox?.close()]);
});

/** Signs in with these claims of the provider; `at` is the path of the page after it. */
async function signIn(
  claims: Claims,
  {
    visitor = newVisitor(),
    path = '/account/sign-in/provider',
  }: { visitor?: PageVisitor; path?: string } = {},
): Promise<{ visitor: PageVisitor; page: ShownPage; at: string }> {
  provider.claims = claims;
  provider.userinfo = { sub: claims.sub };
  const { location } = await visitor.get(path);
  const { headers } = await fetch(location, { redirect: 'manual' });
  const { pathname, search } = new URL(headers.get('location') ?? '');
  const answer = await visitor.get(pathname + search);
  if (answer.status !== 303) return { visitor, page: answer, at: pathname };
  return { visitor, page: await visitor.follow(answer), at: answer.location };
}

/** An account, the address of its owner, and what the provider says of the owner. */
async function newOwner(): Promise<{
  account: Account;
  email: string;
  claims: Claims & { sub: string };
}> {
  const email = `${randomWord()}@${randomWord()}.example`;
  const account = await createAccount(email);
  return { account, email, claims: { sub: randomUUID(), email, email_verified: true } };
}

/** The target of the button that offers single sign-on. */
function offered(page: ShownPage): string {
  const [, href = ''] = /<a class="button[^"]*" href="([^"]*)"/.exec(page.html) ?? [];
  return href.replaceAll('&amp;', '&');
}

// Claims of other providers: apps/gateway/src/account-pages/openid-*.int-spec.ts.
it('an identity belongs to the person of its first sign-in until an operator unlinks it', async () => {
  const { account, email, claims } = await newOwner();
  const successor = { ...claims, sub: randomUUID() };
  const { visitor } = await signIn(claims);
  const refused = await signIn(successor);
  expect([refused.page.status, refused.page.text]).toEqual([
    401,
    expect.stringContaining('This email address already belongs to another person here.'),
  ]);
  expect(refused.page.text).not.toContain(account.name);

  const unlinked = succeeded(await admin.call<object>('POST', '/people/unlink', { email }));
  expect(unlinked).toEqual({ forgotten: 1 });
  expect((await visitor.get(overview)).location).toContain('/account/sign-in');
  expect((await signIn(successor)).page.text).toContain(account.name);
  expect((await signIn(claims)).page.text).toContain('already belongs to another person');
});

it('an account that requires single sign-on refuses other sessions at once, and leads to the provider and back', async () => {
  const { account, email, claims } = await newOwner();
  const byMail = await signInByMail(email);
  const { visitor: owner } = await signIn(claims);
  const form = (await owner.get('/account/settings')).form('/settings/sign-in');
  const saved = await owner.follow(await owner.submit(form, { provider_only: 'yes', session_hours: '2' }));
  expect(saved.text).toContain('Sign-in settings saved.');

  const keys = await byMail.get('/account/keys');
  const required = expect.stringContaining(`${account.name} requires single sign-on`) as string;
  expect([keys.status, keys.text]).toEqual([403, required]);
  const { page, at } = await signIn(claims, { visitor: byMail, path: offered(keys) });
  expect([page.status, at]).toEqual([200, '/account/keys']);

  // A session of two hours is too old.
  await runSql(
    stack.databaseUrls.billing,
    `UPDATE sessions SET signed_in_at = now() - interval '2 hours' WHERE account_id = '${account.id}'`,
  );
  const late = await owner.get('/account/usage');
  expect([late.status, late.text]).toEqual([403, expect.stringContaining('sign in again after some time')]);
  const renewed = await signIn(claims, { visitor: owner, path: offered(late) });
  expect([renewed.page.status, renewed.at]).toEqual([200, '/account/usage']);
});

it('people of a domain are offered the account after single sign-on, and choose to join it', async () => {
  const { account } = await newOwner();
  const domain = `${randomWord()}.example`;
  await setRules(account.id, { join_domains: [domain], provider_only: true });
  const claims = { sub: randomUUID(), email: `${randomWord()}@${domain}`, email_verified: true };
  const { visitor, page } = await signIn(claims);
  expect(page.location).toBe('/account/accounts');
  const offers = await visitor.follow(page);
  expect(offers.text).toContain(`${account.name} People at ${domain} can join as members.`);
  const joined = await visitor.follow(await visitor.submit(offers.form('/join')));
  expect([joined.status, joined.text]).toEqual([200, expect.stringContaining(account.name)]);
  expect((await signIn(claims)).at).toBe(overview);
});
