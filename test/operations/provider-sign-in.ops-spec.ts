import { randomUUID } from 'node:crypto';
import { freePort, type Stack } from '@app/local-stack';
import {
  MailInbox,
  MailListing,
  OpenIdTestProvider,
  type PageVisitor,
  runSql,
  type ShownPage,
} from '@app/testing';
import { type Account, admin, succeeded } from '../support/admin-api.js';
import { createAccount } from '../support/accounts.js';
import { acceptInvitation, inviteOnPage, newVisitor } from '../support/members.js';
import { randomWord } from '../support/random.js';
import { setRules, signInByMail } from '../support/sign-in-rules.js';
import { startOperatedStack } from './support/operated-stack.js';

/** Of a company that runs its own tenant: its addresses count without `email_verified`. */
const trustedDomain = 'corp.example';
const overview = '/account';
const begin = '/account/sign-in/provider';

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
      OIDC_TRUST_EMAIL_DOMAINS: trustedDomain,
      PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
      MAIL_URL: inbox.url,
      MAIL_FROM: 'Creator Search <no-reply@search.example>',
      SIGN_UP: 'invite',
    },
  });
}, 120_000);
// It never says which clients' methods it takes: `Basic` alone, then.
beforeEach(() => provider.reset());
afterAll(async () => {
  await stack?.stop();
  await Promise.all([provider?.stop(), mails?.stop(), inbox?.close()]);
});

/** The page where somebody ends whom the provider vouches for like this. */
async function signIn(
  claims: Claims,
  { visitor = newVisitor(), path = begin }: { visitor?: PageVisitor; path?: string } = {},
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

/** An account whose owner has this address, and what the provider says of them. */
async function newOwner(domain = `${randomWord()}.example`): Promise<{
  account: Account;
  email: string;
  claims: Claims & { sub: string };
}> {
  const email = `${randomWord()}@${domain}`;
  const account = await createAccount(email);
  return { account, email, claims: { sub: randomUUID(), email, email_verified: true } };
}

/** Where the button of a page leads that offers to sign in. */
function offered(page: ShownPage): string {
  const [, href = ''] = /<a class="button[^"]*" href="([^"]*)"/.exec(page.html) ?? [];
  return href.replaceAll('&amp;', '&');
}

describe('what providers say of people', () => {
  const of = (name: string, domain = trustedDomain) => `${name}@${domain}`;
  it.each<readonly [who: string, domain: string, claims: (email: string) => Claims, problem: string | null]>([
    ['verified, as a text', 'other.example', (email) => ({ email, email_verified: 'true' }), null],
    ['Entra: an address of a trusted tenant', trustedDomain, (email) => ({ email }), null],
    ['Entra: a user name alone', trustedDomain, (preferred_username) => ({ preferred_username }), null],
    [
      'Entra: a guest',
      trustedDomain,
      (name) => ({ preferred_username: `a#EXT#${name}` }),
      'gave us no email address',
    ],
    ['an address of anybody', 'other.example', (email) => ({ email }), 'did not confirm that your email'],
    [
      'not verified',
      trustedDomain,
      (email) => ({ email, email_verified: false }),
      'did not confirm that your email',
    ],
    [
      'full-width letters',
      trustedDomain,
      (email) => ({ email: `\uFF41${email}`, email_verified: true }),
      'contains characters that can be mistaken for others',
    ],
  ])('%s', async (_who, domain, say, problem) => {
    const { account, email } = await newOwner(domain);
    const { page, at } = await signIn({ sub: randomUUID(), ...say(email) });
    if (problem === null) expect([at, page.text]).toEqual([overview, expect.stringContaining(account.name)]);
    else expect([page.status, page.text]).toEqual([401, expect.stringContaining(problem)]);
  });

  it('are nobody here: without a member of this address there is no account', async () => {
    const { page } = await signIn({ sub: randomUUID(), email: of(randomWord()) });
    expect([page.status, page.text]).toEqual([
      401,
      expect.stringContaining('No account has a member with this email address.'),
    ]);
  });
});

describe('an identity', () => {
  it('is the person of its first sign-in, and another with their address is refused until an operator unlinks them', async () => {
    const { account, email, claims } = await newOwner();
    const successor = { ...claims, sub: randomUUID() };
    const { visitor } = await signIn(claims);

    const refused = await signIn(successor);
    expect([refused.page.status, refused.page.text]).toEqual([
      401,
      expect.stringContaining('This email address already belongs to another person here.'),
    ]);
    expect(refused.page.text).not.toContain(account.name);
    const married = await signIn({ ...claims, email: `${randomWord()}@other.example` });
    expect(married.page.text).toContain(account.name);

    const unlinked = succeeded(await admin.call<object>('POST', '/people/unlink', { email }));
    expect(unlinked).toEqual({ forgotten: 1 });
    expect((await visitor.get(overview)).location).toContain('/account/sign-in');
    expect((await signIn(successor)).page.text).toContain(account.name);
    expect((await signIn(claims)).page.text).toContain('already belongs to another person');
  });
});

describe('an account that lets people in only through the provider', () => {
  it('leaves other sessions at once, leads to the provider, and back to the page that was wanted', async () => {
    const { account, email, claims } = await newOwner();
    const byMail = await signInByMail(email);
    expect((await byMail.get('/account/settings')).html).not.toContain('name="provider_only"');
    const { visitor: owner } = await signIn(claims);
    const form = (await owner.get('/account/settings')).form('/settings/sign-in');
    const saved = await owner.follow(await owner.submit(form, { provider_only: 'yes' }));
    expect(saved.text).toContain('Sign-in settings saved.');

    const keys = await byMail.get('/account/keys');
    expect([keys.status, keys.text]).toEqual([
      403,
      expect.stringContaining(`${account.name} requires single sign-on`),
    ]);
    const { page, at } = await signIn(claims, { visitor: byMail, path: offered(keys) });
    expect([page.status, at]).toEqual([200, '/account/keys']);
    expect((await owner.get('/account/keys')).status).toBe(200);
  });

  it('is shown after the sign-in of somebody who wanted to switch to it', async () => {
    const { account: own, email, claims } = await newOwner();
    const invited = await signInByMail(email);
    const { account: other, claims: otherOwner } = await newOwner();
    await inviteOnPage((await signIn(otherOwner)).visitor, email);
    await acceptInvitation(invited);
    const switchTo = async ({ id }: Account): Promise<ShownPage> =>
      invited.submit((await invited.get('/account/accounts')).form('/account/switch', { account_id: id }));
    expect((await switchTo(own)).status).toBe(303);
    await setRules(other.id, { provider_only: true });

    const refused = await switchTo(other);
    expect(refused.status).toBe(403);
    const { page, at } = await signIn(claims, { visitor: invited, path: offered(refused) });
    expect([at, page.text]).toEqual([overview, expect.stringContaining(other.name)]);
  });
});

describe('an account that asks for newer sign-ins', () => {
  it('is shown for so many hours, and then again after the provider was asked', async () => {
    const { account, claims } = await newOwner();
    const { visitor } = await signIn(claims);
    const form = (await visitor.get('/account/settings')).form('/settings/sign-in');
    await visitor.submit(form, { session_hours: '2' });
    const signedInBefore = (hours: number) =>
      runSql(
        stack.databaseUrls.billing,
        `UPDATE sessions SET signed_in_at = now() - interval '${hours} hours' WHERE account_id = '${account.id}'`,
      );
    await signedInBefore(1);
    expect((await visitor.get('/account/usage')).status).toBe(200);
    await signedInBefore(2);
    const late = await visitor.get('/account/usage');
    expect([late.status, late.text]).toEqual([403, expect.stringContaining('sign in again after some time')]);
    const { page, at } = await signIn(claims, { visitor, path: offered(late) });
    expect([page.status, at]).toEqual([200, '/account/usage']);
  });
});

describe('people of a domain', () => {
  it('are offered the account when they come through the provider, and join it by their own choice', async () => {
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
});
