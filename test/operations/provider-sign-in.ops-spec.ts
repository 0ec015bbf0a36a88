import { randomUUID } from 'node:crypto';
import { type Stack } from '#dev';
import { MailInbox, MailListing, OpenIdTestProvider, type PageVisitor, type ShownPage } from '#testing';
import { createAccount } from '../support/accounts.js';
import { type Account, admin, succeeded } from '../support/admin-api.js';
import { newVisitor } from '../support/members.js';
import { randomWord } from '../support/random.js';
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
  stack = await startOperatedStack({
    environment: {
      ...provider.environment,
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

// Claims of other providers: apps/website/src/openid-*.int-spec.ts.
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
