import {
  createKey,
  createSignInLink,
  type InviteMemberReply,
  listKeys,
  listMembers,
  removeMember,
  revokeInvitation,
} from '@app/contracts';
import { sha256 } from '@app/platform';
import { v7 as uuidv7 } from 'uuid';
import { context } from '../../running-billing.fixture.js';
import { codeIn, linkIn, newHash, pagesUrl, refusal, SigningIn } from '../sign-in/signing-in.fixture.js';
import {
  address,
  answer,
  ask,
  day,
  leave,
  openOwn,
  received,
  show,
  start,
  subject,
  team,
} from './teams.fixture.js';

let open: SigningIn;
let invite: SigningIn;
beforeAll(async () => {
  const environment = { PUBLIC_URL: 'https://api.example', SWEEP_PERIOD_MS: '600000' };
  open = await SigningIn.start(environment);
  invite = await SigningIn.start({ ...environment, SIGN_UP: 'invite' });
});
beforeEach(() => setClock(0));
afterAll(async () => {
  await open?.close();
  await invite?.close();
});

async function setClock(ms: number): Promise<void> {
  for (const { factory } of [open, invite]) await factory.setClock(new Date(start + ms));
}

describe('an invitation', () => {
  it('makes nobody a member: the person signs in to no account, and becomes one by accepting', async () => {
    for (const billing of [open, invite]) {
      const acme = await team(billing);
      const email = address();
      const { id } = await ask(acme, email, { role: 'owner' });
      expect(await billing.members(acme.id)).toEqual([acme.email]);
      const browser = await billing.signedIn(email);
      expect(await show(billing, browser)).toMatchObject({
        email,
        account: null,
        role: null,
        accounts: [],
        invitations: 1,
      });
      expect(await received(billing, browser)).toEqual({
        invitations: [
          {
            id,
            account_name: 'Acme',
            role: 'owner',
            invited_by: acme.email,
            expires_at: new Date(start + 14 * day).toISOString(),
          },
        ],
        can_open_account: billing === open,
        joinable: [],
      });
      const session = await answer(billing, browser, id);
      expect(session).toMatchObject({ role: 'owner', account: { id: acme.id }, invitations: 0 });
      expect(await show(billing, browser)).toEqual(session);
      expect(await refusal(answer(billing, browser, id))).toBe('not_found');
    }
  });

  it('leaves people with an account where they are, and in charge of it', async () => {
    const [acme, other] = [await team(open, 'Acme'), await team(open, 'Other')];
    const { id } = await ask(acme, other.email);
    const again = await open.signedIn(other.email);
    expect(await show(open, again)).toMatchObject({
      account: { id: other.id },
      role: 'owner',
      invitations: 1,
    });
    await answer(open, again, id);
    expect((await show(open, again)).accounts.map(({ name }) => name)).toEqual(['Acme', 'Other']);
    expect(await leave(open, again, acme.id)).toMatchObject({ account: { id: other.id }, role: 'owner' });
    expect(await open.members(acme.id)).toEqual([acme.email]);
  });

  it('can be declined and revoked, and expires after 14 days', async () => {
    const acme = await team(open);
    const email = address();
    const declined = await ask(acme, email);
    const browser = await open.signedIn(email);
    expect(await answer(open, browser, declined.id, false)).toMatchObject({ account: null, invitations: 0 });
    await setClock(day);
    const revoked = await ask(acme, email);
    const path = { account_id: acme.id, invitation_id: revoked.id };
    const stranger = await team(open);
    const elsewhere = { ...path, account_id: stranger.id };
    expect(await refusal(open.client.request(revokeInvitation, elsewhere, context))).toBe('not_found');
    await open.client.request(revokeInvitation, path, context);
    expect(await refusal(answer(open, browser, revoked.id))).toBe('not_found');
    await setClock(2 * day);
    const expired = await ask(acme, email);
    await setClock(16 * day);
    expect(await refusal(answer(open, browser, expired.id))).toBe('not_found');
    const { invitations } = await open.client.request(listMembers, { account_id: acme.id }, context);
    expect(invitations).toEqual([]);
    expect((await ask(acme, email)).email).toBe(email);
    expect(await open.members(acme.id)).toEqual([acme.email]);
  });

  it('is for its address: others neither see nor answer it', async () => {
    const [acme, stranger] = [await team(open), await team(open)];
    const { id } = await ask(acme, address());
    expect((await received(open, stranger.owner)).invitations).toEqual([]);
    expect(await refusal(answer(open, stranger.owner, id))).toBe('not_found');
    expect(await refusal(answer(open, acme.owner, id))).toBe('not_found');
    expect(await refusal(answer(open, acme.owner, uuidv7()))).toBe('not_found');
  });

  it('is mailed once for its id, by name of the owner, and lets in without mail by the link of an operator', async () => {
    const acme = await team(invite, 'Acme http://evil.example');
    const email = address();
    const same = { invitation_id: uuidv7() };
    const [one, again] = await Promise.all([ask(acme, email, same), ask(acme, email, same)]);
    expect(again).toEqual(one);
    expect(one).toMatchObject({ email, role: 'member', is_mailed: true });
    const mail = await invite.inbox.mailTo(email, 1, subject);
    expect(mail.text).toContain(`${acme.email} has invited you`);
    expect(mail.text).toContain(`${pagesUrl}/accounts`);
    expect(mail.text).not.toContain('http://evil');
    const link = { account_id: acme.id, token_hash: sha256('invited'), email };
    expect(await invite.client.request(createSignInLink, link, context)).toMatchObject({ email });
    expect(await invite.browser().followLink('invited')).toMatchObject({ email, account: null });
    expect(invite.inbox.mailsTo(email, subject)).toHaveLength(1);
  });

  it('says that an address is a member or is invited already; and says the same of known and unknown ones', async () => {
    const [acme, known] = [await team(open), await team(open)];
    await expect(ask(acme, acme.email.toUpperCase())).rejects.toMatchObject({
      code: 'conflict',
      message: `${acme.email} is already a member of this account.`,
    });
    const shape = ({ email: _email, id: _id, ...rest }: InviteMemberReply) => rest;
    const unknown = address();
    expect(shape(await ask(acme, known.email))).toEqual(shape(await ask(acme, unknown)));
    for (const email of [known.email, unknown]) {
      await expect(ask(acme, email)).rejects.toMatchObject({
        code: 'conflict',
        message: `${email} was already invited to this account.`,
      });
    }
    await expect(ask(acme, 'ｃfo@corp.example')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('ends with the membership of the owner who sent it', async () => {
    const acme = await team(open);
    const second = await open.member(acme.id, address(), 'owner');
    const email = address();
    const { id } = await ask({ ...acme, personId: second }, email);
    await open.client.request(removeMember, { account_id: acme.id, person_id: second }, context);
    const browser = await open.signedIn(email);
    expect(await refusal(answer(open, browser, id))).toBe('not_found');
    expect(await refusal(ask({ ...acme, personId: second }, address()))).toBe('not_found');
  });
});

describe('an own account', () => {
  it('is opened once where sign-up is open, also by people who were invited only, however many ask at once', async () => {
    const acme = await team(open);
    const email = address();
    await ask(acme, email);
    const browser = await open.signedIn(email);
    const outcomes = await Promise.all([1, 2, 3].map(() => refusal(openOwn(open, browser))));
    expect(outcomes.sort()).toEqual(['conflict', 'conflict', null]);
    expect(await show(open, browser)).toMatchObject({
      account: { name: email },
      role: 'owner',
      invitations: 1,
    });
    expect((await received(open, browser)).can_open_account).toBe(false);
    expect(await refusal(openOwn(open, acme.owner))).toBe('conflict');
  });

  it('is not opened where only members sign in', async () => {
    const acme = await team(invite);
    const email = address();
    await ask(acme, email);
    expect(await refusal(openOwn(invite, await invite.signedIn(email)))).toBe('forbidden');
  });
});

describe('leaving an account', () => {
  it('ends the sessions that show it; the one that left goes on without an account', async () => {
    const acme = await team(invite);
    const email = address();
    const { id } = await ask(acme, email);
    const browser = await invite.signedIn(email);
    await answer(invite, browser, id);
    const other = await invite.signedIn(email);
    expect(await leave(invite, browser, acme.id)).toMatchObject({ account: null, accounts: [] });
    expect(await show(invite, browser)).toMatchObject({ account: null });
    expect(await refusal(show(invite, other))).toBe('unauthorized');
    expect(await refusal(leave(invite, browser, acme.id))).toBe('not_found');
    expect(await refusal(leave(invite, acme.owner, acme.id))).toBe('conflict');
  });
});

describe('keys', () => {
  it('say who has created them, and are deleted with their maker when an owner says so', async () => {
    const acme = await team(open);
    const people = [await open.member(acme.id, address()), await open.member(acme.id, address())];
    const made = await Promise.all(
      [...people, undefined].map(async (person, n) => {
        const key = { key_id: uuidv7(), name: `key ${n}`, idempotency_key: uuidv7(), key_hash: newHash() };
        const by = person === undefined ? {} : { created_by: person };
        const request = { account_id: acme.id, prefix: 'csk_abc', ...key, ...by };
        return (await open.client.request(createKey, request, context)).key;
      }),
    );
    const keys = async () => {
      const listed = await open.client.request(listKeys, { account_id: acme.id }, context);
      return listed.keys.map(({ id, created_by }) => [id, created_by?.is_member]).sort();
    };
    expect(await keys()).toEqual(
      [
        [made[0]?.id, true],
        [made[1]?.id, true],
        [made[2]?.id, undefined],
      ].sort(),
    );
    const [first = '', second = ''] = people;
    const remove = { account_id: acme.id, delete_keys: true };
    await open.client.request(removeMember, { ...remove, person_id: first }, context);
    await open.client.request(removeMember, { ...remove, person_id: second, delete_keys: false }, context);
    expect(await keys()).toEqual(
      [
        [made[1]?.id, false],
        [made[2]?.id, undefined],
      ].sort(),
    );
  });
});

it('signing in by code shows the invitation too', async () => {
  const acme = await team(invite);
  const email = address();
  await ask(acme, email);
  const browser = invite.browser();
  const mail = await invite.mailFor(browser, email);
  expect(linkIn(mail)).toBeTruthy();
  expect(await browser.typeCode(codeIn(mail))).toMatchObject({ account: null, invitations: 1 });
});
