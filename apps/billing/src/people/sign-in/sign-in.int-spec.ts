import { describeSignIn, requestSignIn, describeSignInLink } from '#contracts';
import { sha256 } from '#platform';
import { v7 as uuidv7 } from 'uuid';
import { context, runBilling } from '../../running-billing.fixture.js';
import { newHash, pagesUrl, sender } from '../browser.fixture.js';
import { address, codeIn, linkIn, refusal, refusals, usePeople } from '../people.fixture.js';

const people = usePeople();

describe('a mail for signing in', () => {
  it('has a link and a code, how long they are valid and who asked', async () => {
    const email = address();
    await people.account(email);
    expect(await people.browser().ask(email)).toEqual({ valid_for_seconds: 600 });
    const mail = await people.inbox.mailTo(email);
    expect(mail.subject).toBe('Sign in to Creator Search');
    expect(mail.headers.from).toContain('no-reply@api.example');
    expect(codeIn(mail)).toMatch(/^\d{6}$/);
    const link = `${pagesUrl}/sign-in/link?token=${linkIn(mail)}`;
    for (const part of [link, 'ten minutes', sender.network]) expect(mail.text).toContain(part);
  });

  it('is sent once for a sign-in, however often its message comes', async () => {
    const [email, later, id, browser] = [address(), address(), uuidv7(), people.browser()];
    await Promise.all([browser.ask(email, id), browser.ask(email, id), browser.ask(email, id)]);
    await browser.ask(later);
    await people.inbox.mailTo(later);
    expect(people.inbox.mailsTo(email)).toHaveLength(1);
  });

  it('goes to the address in its compared form, and never to one that software could take for another', async () => {
    const local = uuidv7();
    await people.account(`Ops.${local}@acme.example`);
    await people.browser().ask(`ops.${local.toUpperCase()}@ACME.example`);
    expect((await people.inbox.mailTo(`ops.${local}@acme.example`)).subject).toContain('Sign in');
    const others = ['ｏps@acme.example', 'ops@acme。example.com'].map((email) => people.browser().ask(email));
    expect(await refusals(...others)).toEqual(['invalid_request']);
  });

  it('counts for its mailbox: dots, tags and the other name of a domain allow no further five', async () => {
    const local = uuidv7();
    const spellings = ['', '+a', '+b.c', '.'].map((tag) => `${local}${tag}@gmail.com`.replace('.@', '@'));
    const asked = [...spellings, `${local.slice(0, 3)}.${local.slice(3)}@googlemail.com`];
    for (const email of asked) await people.browser().ask(email);
    for (const email of [`${local}+z@gmail.com`, `${local}@googlemail.com`]) {
      expect(await refusal(people.browser().ask(email))).toBe('rate_limited');
    }
    await people.browser().ask(`${local}@other.example`);
  });
});

describe('signing in', () => {
  it('gets one session when its message is delivered twice, by the newest code and, in any browser, by link', async () => {
    const [email, browser, other] = [address(), people.browser(), people.browser()];
    const account = { id: await people.account(email), name: 'Acme' };
    await people.mailFor(browser, email);
    const code = codeIn(await people.mailFor(browser, email));
    const [one, again] = await Promise.all([browser.typeCode(code), browser.typeCode(code)]);
    expect(again).toEqual(one);
    const token = linkIn(await people.mailFor(browser, email));
    const [first, second] = await Promise.all([other.followLink(token), other.followLink(token)]);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ email, role: 'owner', account, accounts: [account] });
    expect(first.session_id).not.toBe(one.session_id);
    expect(await other.show()).toEqual(first);
  });

  it('gives an unknown address one account where sign-up is open, by code or an identity that comes twice at once', async () => {
    expect(await people.send(describeSignIn, {})).toEqual({ by_mail: true, sign_up_open: true });
    const [email, byProvider, browser] = [address(), address(), people.browser()];
    await browser.ask(email.toUpperCase());
    const session = await browser.typeCode(codeIn(await people.inbox.mailTo(email)));
    expect(session).toMatchObject({ email, role: 'owner', account: { name: email } });
    expect(await people.members(session.account?.id ?? '')).toEqual([email]);
    const [one, other] = await Promise.all(
      [people.browser(), people.browser()].map((each) => each.withIdentity(`of ${byProvider}`, byProvider)),
    );
    expect(one).toMatchObject({ account: { name: byProvider } });
    expect(other?.account).toEqual(one?.account);
  });
});

describe("an operator's link", () => {
  it('signs in the first owner, or the member that it names, and ends with their membership', async () => {
    const [owner, other] = [address(), address()];
    const id = await people.account(owner);
    await people.account(other);
    const personId = await people.member(id, other);
    expect(await people.link(id, 'one')).toEqual({ email: owner, valid_for_seconds: 3_600 });
    for (const token of ['two', 'three']) await people.link(id, token, other.toUpperCase());
    expect(await people.browser().followLink('one')).toMatchObject({ email: owner, account: { id } });
    const named = { email: other, account: { id }, role: 'member' };
    expect(await people.browser().followLink('two')).toMatchObject(named);
    await people.query('DELETE FROM members WHERE person_id = $1 AND account_id = $2', [personId, id]);
    expect(await refusal(people.browser().followLink('three'))).toBe('unauthorized');
    expect(await refusals(people.link(id, 'four', address()), people.link(uuidv7(), 'five'))).toEqual([
      'not_found',
    ]);
  });

  it('says whom it signs in until it is used or expires, as the link of a mail does', async () => {
    const owner = address();
    const id = await people.account(owner, 'Acme');
    const show = (token: string) => people.send(describeSignInLink, { token_hash: sha256(token) });
    const mailed = linkIn(await people.mailFor(people.browser(), owner));
    expect(await show(mailed)).toEqual({ email: owner, account: null });
    const [used, expired] = [uuidv7(), uuidv7()];
    for (const token of [used, expired]) {
      await people.link(id, token);
      expect(await show(token)).toEqual({ email: owner, account: 'Acme' });
    }
    await people.browser().followLink(used);
    await people.query('UPDATE sign_ins SET expires_at = created_at WHERE link_hash = $1', [sha256(expired)]);
    for (const token of [used, expired, uuidv7()]) expect(await refusal(show(token))).toBe('unauthorized');
  });
});

it.each([
  ['by default', {}, false],
  ['with an identity provider', { SIGN_UP: 'open' }, true],
])('without a mail server, %s, no sign-in by mail is offered', async (_name, environment, sign_up_open) => {
  const billing = await runBilling(environment);
  try {
    const methods = await billing.client.request(describeSignIn, {}, context);
    expect(methods).toEqual({ by_mail: false, sign_up_open });
    const request = { ...sender, email: address(), sign_in_id: uuidv7(), browser_hash: newHash() };
    const asked = billing.client.request(requestSignIn, { ...request, pages_url: pagesUrl }, context);
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    await billing.close();
  }
});
