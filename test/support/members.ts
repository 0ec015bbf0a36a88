import { PageVisitor, type ShownPage } from '#testing';
import { type Account, admin, succeeded } from './admin-api.js';
import { createAccount } from './accounts.js';
import { environment } from './environment.js';
import { randomWord } from './random.js';

/** A person with a browser at the account pages. */
export function newVisitor(): PageVisitor {
  return new PageVisitor(environment.siteUrl);
}

/** A member who is signed in by an operator's link; by default the first owner. */
export async function signedIn(accountId: string, email?: string): Promise<PageVisitor> {
  const path = `/accounts/${accountId}/sign-in-link`;
  const body = email === undefined ? {} : { email };
  const { url } = succeeded(await admin.call<{ url: string }>('POST', path, body));
  const { pathname, search } = new URL(url);
  const visitor = newVisitor();
  await visitor.follow(await visitor.submit((await visitor.get(pathname + search)).form('/link')));
  return visitor;
}

/** An account with an owner who has signed in. */
export async function newOwner(): Promise<{ account: Account; owner: PageVisitor }> {
  const account = await createAccount();
  return { account, owner: await signedIn(account.id) };
}

/** Invites an address on the page of settings; returns the page after it. */
export async function inviteOnPage(owner: PageVisitor, email: string, role = 'member'): Promise<ShownPage> {
  const form = (await owner.get('/account/settings')).form('/settings/members');
  const sent = await owner.submit(form, { email, role });
  return sent.status === 303 ? owner.follow(sent) : sent;
}

/** Accepts the invitation that waits for a person who is signed in; returns the overview of the account. */
export async function acceptInvitation(visitor: PageVisitor): Promise<ShownPage> {
  const form = (await visitor.get('/account/accounts')).form('/accept');
  return visitor.follow(await visitor.submit(form));
}

/** A colleague who was invited by an owner and has accepted. */
export async function newMember(
  accountId: string,
  owner: PageVisitor,
  { email = `${randomWord()}@colleague.example`, role = 'member' } = {},
): Promise<PageVisitor> {
  await inviteOnPage(owner, email, role);
  const visitor = await signedIn(accountId, email);
  await acceptInvitation(visitor);
  return visitor;
}

/** Creates a key on its page; returns the key, which no other page shows. */
export async function createKeyOnPage(owner: PageVisitor, name: string): Promise<string> {
  const created = await owner.submit((await owner.get('/account/keys')).form('/account/keys'), { name });
  const page = await owner.follow(created);
  const [secret] = /csk_[A-Za-z0-9_-]{30,}/.exec(page.text) ?? [];
  if (secret === undefined) throw new Error(`no key on the page: ${page.text.slice(0, 500)}`);
  return secret;
}
