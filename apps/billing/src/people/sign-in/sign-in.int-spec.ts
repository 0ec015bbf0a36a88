import { v7 as uuidv7 } from 'uuid';
import { newHash, pagesUrl, sender } from '../browser.fixture.js';
import { address, codeIn, linkIn, refusal, usePeople } from '../people.fixture.js';

const open = usePeople();
const invite = usePeople({ SIGN_UP: 'invite' });

describe('a mail for signing in', () => {
  it('has a link and a code, how long they are valid and who asked, in text and HTML', async () => {
    const email = address();
    await open.account(email);
    expect(await open.browser().ask(email)).toEqual({ valid_for_seconds: 600 });
    const mail = await open.inbox.mailTo(email);
    expect(mail.subject).toBe('Sign in to Creator Search');
    expect(mail.headers.from).toContain('no-reply@api.example');
    const link = `${pagesUrl}/sign-in/link?token=${linkIn(mail)}`;
    expect(mail.text).toContain(link);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.html.replace(' ', '')).toContain(codeIn(mail).slice(0, 3));
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('ten minutes');
      expect(body).toContain(sender.network);
    }
  });

  it('is sent once for a sign-in, however often its message comes', async () => {
    const [email, later, id, browser] = [address(), address(), uuidv7(), open.browser()];
    await Promise.all([browser.ask(email, id), browser.ask(email, id), browser.ask(email, id)]);
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

  it.each(['ｏps@acme.example', 'ops@acme。example.com'])(
    'never goes to %j, which software could take for another address',
    async (email) => {
      expect(await refusal(open.browser().ask(email))).toBe('invalid_request');
    },
  );

  it('counts for its mailbox: dots, tags and the other name of a domain allow no further five', async () => {
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
    const mail = await invite.mailFor(invite.browser(), email);
    const other = invite.browser();
    const session = await other.followLink(linkIn(mail));
    const account = { id, name: 'Acme' };
    expect(session).toMatchObject({ email, role: 'owner', account, accounts: [account] });
    expect(await other.show()).toEqual(session);
  });

  it('by the code works in the browser that asked, with the newest mail when it has asked twice', async () => {
    const [email, browser] = [address(), invite.browser()];
    await invite.account(email);
    await invite.mailFor(browser, email);
    const newest = await invite.mailFor(browser, email);
    expect(await browser.typeCode(codeIn(newest))).toMatchObject({ email, role: 'owner' });
  });

  it('gets one session when its message is delivered twice, by link and by code', async () => {
    const [email, browser, hash] = [address(), invite.browser(), newHash()];
    await invite.account(email);
    const code = codeIn(await invite.mailFor(browser, email));
    const [one, again] = await Promise.all([browser.typeCode(code), browser.typeCode(code)]);
    expect(again).toEqual(one);
    const token = linkIn(await invite.mailFor(browser, email));
    const twice = [browser.followLink(token, hash), browser.followLink(token, hash)] as const;
    const [first, second] = await Promise.all(twice);
    expect(second).toEqual(first);
    expect(first.session_id).not.toBe(one.session_id);
  });

  it('opens the account that the person used last', async () => {
    const email = address();
    await invite.account(email, 'First');
    const second = await invite.account(address(), 'Second');
    const personId = await invite.member(second, email);
    await invite.query(
      'UPDATE members SET last_seen_at = ledger_now() WHERE account_id = $1 AND person_id = $2',
      [second, personId],
    );
    const session = await (await invite.signedIn(email)).show();
    expect(session).toMatchObject({ account: { name: 'Second' }, role: 'member' });
    expect(session.accounts.map(({ name }) => name)).toEqual(['First', 'Second']);
  });

  it('gives an unknown address an account where sign-up is open, by code', async () => {
    const [email, browser] = [address(), open.browser()];
    await browser.ask(email.toUpperCase());
    const session = await browser.typeCode(codeIn(await open.inbox.mailTo(email)));
    expect(session).toMatchObject({ email, role: 'owner', account: { name: email } });
    expect(await open.members(session.account?.id ?? '')).toEqual([email]);
  });

  it('gives an unknown address one account where sign-up is open, for an identity that comes twice at once', async () => {
    const email = address();
    const [one, other] = await Promise.all(
      [open.browser(), open.browser()].map((browser) => browser.withIdentity(`of ${email}`, email)),
    );
    expect(one).toMatchObject({ email, account: { name: email } });
    expect(other?.account).toEqual(one?.account);
  });
});

describe("an operator's link", () => {
  it('signs in the first owner, or the member that it names, for an hour and to that account', async () => {
    const [owner, other] = [address(), address()];
    const id = await invite.account(owner);
    await invite.account(other);
    await invite.member(id, other);
    for (let times = 0; times < 2; times += 1) {
      expect(await invite.link(id, 'one')).toEqual({ email: owner, valid_for_seconds: 3_600 });
    }
    expect(await invite.link(id, 'two', other.toUpperCase())).toMatchObject({ email: other });
    expect(await invite.browser().followLink('one')).toMatchObject({ email: owner, account: { id } });
    const named = { email: other, account: { id }, role: 'member' };
    expect(await invite.browser().followLink('two')).toMatchObject(named);
    expect(await refusal(invite.browser().followLink('one'))).toBe('unauthorized');
  });

  it('is for members only, and ends with the membership', async () => {
    const [id, member] = [await invite.account(), address()];
    const personId = await invite.member(id, member);
    await invite.link(id, 'three', member);
    expect(await refusal(invite.link(id, 'four', address()))).toBe('not_found');
    expect(await refusal(invite.link(uuidv7(), 'five'))).toBe('not_found');
    await invite.query('DELETE FROM members WHERE person_id = $1', [personId]);
    expect(await refusal(invite.browser().followLink('three'))).toBe('unauthorized');
  });
});
