import { type InviteMemberReply, revokeInvitation } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { pagesUrl } from '../browser.fixture.js';
import { dayMs as day } from '../../durations.js';
import { address, codeIn, refusal, refusals, start, tally, usePeople } from '../people.fixture.js';

const open = usePeople();
const invite = usePeople({ SIGN_UP: 'invite' });
const subject = 'Invitation to an account';
const none = { account: null, role: null, accounts: [], invitations: 1 };

describe('an invitation', () => {
  it('makes no member until it is accepted: the person signs in, by code too, to no account', async () => {
    for (const people of [open, invite]) {
      const [acme, email, browser] = [await people.team(), address(), people.browser()];
      const { id } = await people.invite(acme, email, { role: 'owner' });
      expect(await people.members(acme.id)).toEqual([acme.email]);
      const signedIn = await browser.typeCode(codeIn(await people.mailFor(browser, email)));
      expect(signedIn).toMatchObject({ email, ...none });
      const expires_at = new Date(start + 14 * day).toISOString();
      expect(await browser.offers()).toEqual({
        invitations: [{ id, account_name: 'Acme', role: 'owner', invited_by: acme.email, expires_at }],
        can_open_account: people === open,
      });
      const session = await browser.answer(id);
      expect(session).toMatchObject({ role: 'owner', account: { id: acme.id }, invitations: 0 });
      expect(await browser.show()).toEqual(session);
      expect(await refusal(browser.answer(id))).toBe('not_found');
      expect(await refusal(browser.openOwn())).toBe(people === open ? null : 'forbidden');
    }
  });

  it('can be declined and revoked, and expires after 14 days', async () => {
    const [acme, stranger, email] = [await open.team(), await open.team(), address()];
    const declined = await open.invite(acme, email);
    const browser = await open.signedIn(email);
    expect(await browser.answer(declined.id, false)).toMatchObject({ account: null, invitations: 0 });
    await open.setClock(day);
    const { id: invitation_id } = await open.invite(acme, email);
    const revoke = (account_id: string) => open.send(revokeInvitation, { account_id, invitation_id });
    expect(await refusal(revoke(stranger.id))).toBe('not_found');
    await revoke(acme.id);
    expect(await refusal(browser.answer(invitation_id))).toBe('not_found');
    await open.setClock(2 * day);
    const expired = await open.invite(acme, email);
    await open.setClock(16 * day);
    expect(await refusal(browser.answer(expired.id))).toBe('not_found');
    expect((await open.list(acme.id)).invitations).toEqual([]);
    expect((await open.invite(acme, email)).email).toBe(email);
  });

  it('is neither seen nor answered by people with another address', async () => {
    const [acme, { owner: stranger }] = [await open.team(), await open.team()];
    const { id } = await open.invite(acme, address());
    expect((await stranger.offers()).invitations).toEqual([]);
    const answers = [stranger.answer(id), acme.owner.answer(id), acme.owner.answer(uuidv7())];
    expect(await refusals(...answers)).toEqual(['not_found']);
  });

  it('is mailed once for its id, in the name of the owner; an operator can hand out a link instead', async () => {
    const [acme, email] = [await invite.team('Acme http://evil.example'), address()];
    const same = { invitation_id: uuidv7() };
    const [one, again] = await Promise.all([1, 2].map(() => invite.invite(acme, email, same)));
    expect(again).toEqual(one);
    expect(one).toMatchObject({ email, role: 'member', is_mailed: true });
    const mail = await invite.inbox.mailTo(email, 1, subject);
    expect(mail.text).toContain(`${acme.email} has invited you`);
    expect(mail.text).toContain(`${pagesUrl}/accounts`);
    expect(mail.text).not.toContain('http://evil');
    expect(await invite.link(acme.id, 'invited', email)).toMatchObject({ email });
    expect(await invite.browser().followLink('invited')).toMatchObject({ email, account: null });
    expect(invite.inbox.mailsTo(email, subject)).toHaveLength(1);
  });

  it('is refused for a member or an invited address, with the same replies for known and unknown ones', async () => {
    const [acme, known, unknown] = [await open.team(), await open.team(), address()];
    const shape = ({ email: _email, id: _id, ...rest }: InviteMemberReply) => rest;
    expect(shape(await open.invite(acme, known.email))).toEqual(shape(await open.invite(acme, unknown)));
    for (const email of [acme.email.toUpperCase(), known.email, unknown]) {
      expect(await refusal(open.invite(acme, email))).toBe('conflict');
    }
    expect(await refusal(open.invite(acme, 'ｃfo@corp.example'))).toBe('invalid_request');
  });

  it('ends with the membership of the owner who sent it', async () => {
    const { id } = await open.team();
    const [personId, email] = [await open.member(id, address(), 'owner'), address()];
    const invitation = await open.invite({ id, personId }, email);
    await open.remove(id, personId);
    const browser = await open.signedIn(email);
    expect(await refusal(browser.answer(invitation.id))).toBe('not_found');
    expect(await refusal(open.invite({ id, personId }, address()))).toBe('not_found');
  });
});

describe('an own account', () => {
  it('is opened once where sign-up is open, also by invited people and however many ask at once', async () => {
    const [acme, email] = [await open.team(), address()];
    await open.invite(acme, email);
    const browser = await open.signedIn(email);
    expect(await tally([1, 2, 3].map(() => browser.openOwn()))).toEqual({ ok: 1, conflict: 2 });
    const session = await browser.show();
    expect(session).toMatchObject({ account: { name: email }, role: 'owner', invitations: 1 });
    expect((await browser.offers()).can_open_account).toBe(false);
    expect(await refusal(acme.owner.openOwn())).toBe('conflict');
  });
});

describe('limits on invitations', () => {
  it('allow an address one a day from an account, also revoked or written another way, and five from all', async () => {
    const local = uuidv7();
    const spellings = ['', '+a', '+b', '+c', '+d', '+e'].map((tag) => `${local}${tag}@acme.example`);
    const [email = ''] = spellings;
    const [acme, ...others] = await Promise.all([open.team(), ...spellings.slice(1).map(() => open.team())]);
    const { id } = await open.invite(acme, email);
    await open.send(revokeInvitation, { account_id: acme.id, invitation_id: id });
    for (const each of spellings) expect(await refusal(open.invite(acme, each))).toBe('rate_limited');
    const invited = others.map((each, n) => open.invite(each, spellings[n] ?? ''));
    expect(await tally(invited)).toEqual({ ok: 4, rate_limited: 1 });
    await open.setClock(day);
    expect(await refusal(open.invite(acme, email))).toBeNull();
  });

  it('allow an account 20 a day, also when the last ones are sent at once', async () => {
    const acme = await open.team();
    for (let sent = 0; sent < 19; sent += 1) await open.invite(acme, address());
    const last = Array.from({ length: 6 }, () => open.invite(acme, address()));
    expect(await tally(last)).toEqual({ ok: 1, rate_limited: 5 });
  });

  it('allow an account 50 members and open invitations, also when the last ones are sent at once', async () => {
    const acme = await open.team();
    for (let n = 0; n < 48; n += 1) await open.member(acme.id);
    const last = [1, 2, 3].map(() => open.invite(acme, address()));
    expect(await tally(last)).toEqual({ ok: 1, conflict: 2 });
  });
});
