import { createSignInLink, getSession, listMembers, requestSignIn, signInWithIdentity } from '@app/contracts';
import { sha256 } from '@app/platform';
import { v7 as uuidv7 } from 'uuid';
import { context, runBilling } from '../../running-billing.fixture.js';
import { codeIn, linkIn, newHash, pagesUrl, refusal, sender, SigningIn } from './signing-in.fixture.js';

let open: SigningIn;
let invite: SigningIn;
beforeAll(async () => {
  [open, invite] = await Promise.all([SigningIn.start(), SigningIn.start({ SIGN_UP: 'invite' })]);
});
afterAll(async () => {
  await Promise.all([open?.close(), invite?.close()]);
});

/** An address that no other test uses. */
const address = (): string => `${uuidv7()}@acme.example`;

describe('a mail for signing in', () => {
  it('has a link and a code, says how long they are good and who asked, in text and HTML', async () => {
    const email = address();
    await open.account(email);
    expect(await open.browser().ask(email)).toEqual({ valid_for_seconds: 600 });
    const mail = await open.inbox.mailTo(email);
    expect(mail.subject).toBe('Sign in to Creator Search');
    expect(mail.headers.from).toContain('no-reply@api.example');
    expect(mail.text).toContain(`${pagesUrl}/sign-in/link?token=${linkIn(mail)}`);
    expect(mail.html).toContain(`href="${pagesUrl}/sign-in/link?token=${linkIn(mail)}"`);
    expect(mail.html.replace(' ', '')).toContain(codeIn(mail).slice(0, 3));
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('ten minutes');
      expect(body).toContain(sender.network);
    }
  });

  it('is sent once for a sign-in, however often its message comes', async () => {
    const [email, id, browser] = [address(), uuidv7(), open.browser()];
    await Promise.all([browser.ask(email, id), browser.ask(email, id), browser.ask(email, id)]);
    const later = address();
    await browser.ask(later);
    await open.inbox.mailTo(later);
    expect(open.inbox.mailsTo(email)).toHaveLength(1);
  });

  it('goes to the address in its compared form, however it was typed', async () => {
    const local = uuidv7();
    await invite.account(`Ops.${local}@acme.example`);
    await invite.browser().ask(`ops.${local.toUpperCase()}@ACME.example`);
    expect((await invite.inbox.mailTo(`ops.${local}@acme.example`)).subject).toContain('Sign in');
  });

  it('never goes to an address that software could take for another one', async () => {
    const local = uuidv7();
    for (const email of [`ｏ${local}@acme.example`, `o${local}@acme。example.com`]) {
      expect(await refusal(open.browser().ask(email))).toBe('invalid_request');
      const identity = { ...sender, email, issuer: 'i', subject: 's', session_hash: newHash() };
      expect(await refusal(open.client.request(signInWithIdentity, identity, context))).toBe(
        'invalid_request',
      );
    }
  });

  it('counts for its mailbox: dots, tags and the other name of a domain are no further five', async () => {
    const local = uuidv7();
    const spellings = ['', '+a', '+b.c', '.'].map((tag) => `${local}${tag}@gmail.com`.replace('.@', '@'));
    const asked = [...spellings, `${local.slice(0, 3)}.${local.slice(3)}@googlemail.com`];
    for (const email of asked) await open.browser().ask(email);
    for (const email of [`${local}+z@gmail.com`, `${local}@googlemail.com`]) {
      expect(await refusal(open.browser().ask(email))).toBe('rate_limited');
    }
    await open.browser().ask(`${local}@other.example`);
  });
});

describe('signing in', () => {
  it('by the link works in any browser', async () => {
    const email = address();
    const id = await invite.account(email, 'Acme');
    await invite.browser().ask(email);
    const other = invite.browser();
    const session = await other.followLink(linkIn(await invite.inbox.mailTo(email)));
    expect(session).toMatchObject({
      email,
      role: 'owner',
      account: { id, name: 'Acme' },
      accounts: [{ id, name: 'Acme' }],
    });
    expect(await invite.client.request(getSession, { session_hash: other.sessionHash }, context)).toEqual(
      session,
    );
  });

  it('by the code works in the browser that asked', async () => {
    const [email, browser] = [address(), invite.browser()];
    await invite.account(email);
    await browser.ask(email);
    const session = await browser.typeCode(codeIn(await invite.inbox.mailTo(email)));
    expect(session).toMatchObject({ email, role: 'owner' });
  });

  it('counts the newest mail of a browser when it has asked twice', async () => {
    const [email, browser] = [address(), invite.browser()];
    await invite.account(email);
    await browser.ask(email);
    await invite.inbox.mailTo(email);
    await browser.ask(email);
    expect(await browser.typeCode(codeIn(await invite.inbox.mailTo(email, 2)))).toMatchObject({ email });
  });

  it('gets one session when its message is delivered twice, by link and by code', async () => {
    const [email, browser] = [address(), invite.browser()];
    await invite.account(email);
    await browser.ask(email);
    const mail = await invite.inbox.mailTo(email);
    const [one, again] = await Promise.all([browser.typeCode(codeIn(mail)), browser.typeCode(codeIn(mail))]);
    expect(again).toEqual(one);
    await browser.ask(email);
    const token = linkIn(await invite.inbox.mailTo(email, 2));
    const hash = newHash();
    const [first, second] = await Promise.all([
      browser.followLink(token, hash),
      browser.followLink(token, hash),
    ]);
    expect(second).toEqual(first);
    expect(first.session_id).not.toBe(one.session_id);
  });

  it('opens the account that the person used last', async () => {
    const email = address();
    const [, second] = [await invite.account(email, 'First'), await invite.account(address(), 'Second')];
    const personId = await invite.member(second, email);
    await invite.billing.admin.query(
      'UPDATE members SET last_seen_at = ledger_now() WHERE account_id = $1 AND person_id = $2',
      [second, personId],
    );
    const browser = invite.browser();
    const session = await browser.typeCode(codeIn(await invite.mailFor(browser, email)));
    expect(session).toMatchObject({ account: { name: 'Second' }, role: 'member' });
    expect(session.accounts.map(({ name }) => name)).toEqual(['First', 'Second']);
  });
});

describe('an unknown address', () => {
  it('gets a mail and, with it, an account where sign-up is open', async () => {
    const [email, browser] = [address(), open.browser()];
    await browser.ask(email.toUpperCase());
    const session = await browser.typeCode(codeIn(await open.inbox.mailTo(email)));
    expect(session).toMatchObject({ email, role: 'owner', account: { name: email } });
    expect(await open.members(session.account?.id ?? '')).toEqual([email]);
  });

  it('gets no mail where only members sign in', async () => {
    const [unknown, known, browser] = [address(), address(), invite.browser()];
    await invite.account(known);
    expect(await browser.ask(unknown)).toEqual(await browser.ask(known));
    await invite.inbox.mailTo(known);
    expect(invite.inbox.attempts).not.toContain(unknown);
  });
});

describe('an identity of a provider', () => {
  const identity = (email: string, session_hash = newHash()) => ({
    ...sender,
    email,
    issuer: 'https://id.example',
    subject: `of ${email.toLowerCase()}`,
    session_hash,
  });

  it('signs a member in, once for each session', async () => {
    const email = address();
    const id = await invite.account(email);
    const request = identity(email.toUpperCase());
    const ask = () => invite.client.request(signInWithIdentity, request, context);
    const [one, again] = await Promise.all([ask(), ask()]);
    expect(one).toMatchObject({ email, account: { id } });
    expect(again).toEqual(one);
  });

  it('of a stranger is forbidden, unless sign-up is open', async () => {
    const request = identity(address());
    expect(await refusal(invite.client.request(signInWithIdentity, request, context))).toBe('forbidden');
    const asked = [request, identity(request.email)].map((each) =>
      open.client.request(signInWithIdentity, each, context),
    );
    const [one, other] = await Promise.all(asked);
    expect(other?.account).toEqual(one?.account);
  });
});

describe("an operator's link", () => {
  const link = (accountId: string, token: string, email?: string) =>
    invite.client.request(
      createSignInLink,
      { account_id: accountId, token_hash: sha256(token), ...(email === undefined ? {} : { email }) },
      context,
    );

  it('signs in the first owner, or the member that it names, for an hour and to that account', async () => {
    const [owner, other] = [address(), address()];
    const id = await invite.account(owner);
    await invite.account(other);
    await invite.member(id, other);
    expect(await link(id, 'one')).toEqual({ email: owner, valid_for_seconds: 3_600 });
    expect(await link(id, 'one')).toEqual({ email: owner, valid_for_seconds: 3_600 });
    expect(await link(id, 'two', other.toUpperCase())).toMatchObject({ email: other });
    expect(await invite.browser().followLink('one')).toMatchObject({ email: owner, account: { id } });
    expect(await invite.browser().followLink('two')).toMatchObject({
      email: other,
      account: { id },
      role: 'member',
    });
    expect(await refusal(invite.browser().followLink('one'))).toBe('unauthorized');
  });

  it('is not found for who is no member, and ends with the membership', async () => {
    const id = await invite.account(address());
    const member = address();
    await invite.member(id, member);
    await link(id, 'three', member);
    expect(await refusal(link(id, 'four', address()))).toBe('not_found');
    expect(await refusal(link(uuidv7(), 'five'))).toBe('not_found');
    const { members } = await invite.client.request(listMembers, { account_id: id }, context);
    const person = members.find(({ email }) => email === member)?.person_id;
    await invite.billing.admin.query('DELETE FROM members WHERE person_id = $1', [person]);
    expect(await refusal(invite.browser().followLink('three'))).toBe('unauthorized');
  });
});

it('without a mail server, asking for a mail is refused in words that help, and operators hand out links', async () => {
  const billing = await runBilling();
  try {
    const request = {
      ...sender,
      email: address(),
      sign_in_id: uuidv7(),
      browser_hash: newHash(),
      pages_url: pagesUrl,
    };
    await expect(billing.client.request(requestSignIn, request, context)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Ask the operator') as string,
    });
  } finally {
    await billing.close();
  }
});
