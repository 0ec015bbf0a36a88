import {
  answerInvitation,
  forgetIdentities,
  getSession,
  inviteMember,
  listInvitations,
  openAccount,
  removeMember,
  ServiceError,
  type SessionView,
} from '@app/contracts';
import { metricsText } from '@app/platform';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { context } from '../../running-billing.fixture.js';
import { type Browser, issuer, refusal, SigningIn } from './signing-in.fixture.js';

const lines: string[] = [];
let signingIn: SigningIn;
beforeAll(async () => {
  const output = new PassThrough().on('data', (line: Buffer) => lines.push(line.toString()));
  signingIn = await SigningIn.start({ SIGN_UP: 'invite' }, pino({ level: 'info' }, output));
});
beforeEach(() => signingIn.factory.setClock(new Date(Date.UTC(2026, 2, 1, 12))));
afterAll(() => signingIn?.close());

const address = (): string => `${uuidv7()}@corp.example`;
const show = ({ sessionHash }: Browser): Promise<SessionView> =>
  signingIn.client.request(getSession, { session_hash: sessionHash }, context);
const identities = (personId: string): Promise<{ subject: string }[]> =>
  signingIn.billing.admin.query('SELECT subject FROM identities WHERE person_id = $1', [personId]);

/** How many this process has counted. */
async function refusals(): Promise<number> {
  const { text } = await metricsText();
  return Number(/^creator_search_identities_refused_total (\d+)$/m.exec(text)?.[1]);
}

/** An account whose owner signs in through the provider. */
async function bound(subject: string = uuidv7()) {
  const email = address();
  const accountId = await signingIn.account(email);
  const browser = signingIn.browser();
  const session = await browser.withIdentity(subject, email);
  return { email, accountId, browser, subject, personId: session.person_id };
}

/** An open invitation for an address; resolves to its id. */
async function invited(email: string): Promise<string> {
  const owner = await bound();
  const invitation_id = uuidv7();
  const request = { account_id: owner.accountId, email, role: 'member', invitation_id } as const;
  await signingIn.client.request(inviteMember, { ...request, person_id: owner.personId }, context);
  return invitation_id;
}

describe('an address that moves to someone else', () => {
  it('does not move the account: their identity is refused, in words that help', async () => {
    const { email, personId, subject } = await bound();
    const before = await refusals();
    const error: unknown = await signingIn
      .browser()
      .withIdentity(uuidv7(), email)
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('already belongs to another person') as string,
    });
    expect(await identities(personId)).toEqual([{ subject }]);
    expect(lines.join('')).toContain(`Person ${personId}: refused another identity`);
    expect(await refusals()).toBe(before + 1);
  });

  it('leaves the account to the person of the identity, whose address stays, however it changes', async () => {
    const { email, accountId, subject } = await bound();
    for (const given of [address(), email, address()]) {
      const browser = signingIn.browser();
      expect(await browser.withIdentity(subject, given)).toMatchObject({ email, account: { id: accountId } });
    }
    expect(lines.join('')).toContain(`${issuer} gives an address other than theirs`);
  });

  it("does not make them somebody who has the identity's new address", async () => {
    const [one, other] = [await bound(), await bound()];
    const browser = signingIn.browser();
    expect(await browser.withIdentity(one.subject, other.email)).toMatchObject({
      person_id: one.personId,
      account: { id: one.accountId },
    });
  });

  it('leaves invitations for it to its new owner', async () => {
    const { email, subject, browser } = await bound();
    const invitation_id = await invited(email);
    const moved = signingIn.browser();
    const session = await moved.withIdentity(subject, address());
    expect(session.invitations).toBe(0);
    const hash = { session_hash: moved.sessionHash };
    expect(await signingIn.client.request(listInvitations, hash, context)).toMatchObject({
      invitations: [],
      can_open_account: false,
      joinable: [],
    });
    const answer = { ...hash, invitation_id, is_accepted: true };
    expect(await refusal(signingIn.client.request(answerInvitation, answer, context))).toBe('not_found');
    expect(
      await refusal(signingIn.client.request(openAccount, { ...hash, account_id: uuidv7() }, context)),
    ).toBe('forbidden');
    expect(await show(browser)).toMatchObject({ invitations: 1 });
  });

  it('lets nobody in for what only waits for it', async () => {
    const { email, subject, accountId, personId } = await bound();
    await signingIn.member(accountId, address(), 'owner');
    await signingIn.client.request(removeMember, { account_id: accountId, person_id: personId }, context);
    await invited(email);
    expect(await refusal(signingIn.browser().withIdentity(subject, address()))).toBe('forbidden');
    expect(await refusal(signingIn.browser().withIdentity(subject, email))).toBeNull();
  });

  it('still signs in by mail, as the person: that is what "provider only" is for', async () => {
    const { email, personId } = await bound();
    expect(await show(await signingIn.signedIn(email))).toMatchObject({
      person_id: personId,
      method: 'mail',
    });
  });
});

describe('an identity', () => {
  it('is bound at its first use to the person who has signed in by mail before', async () => {
    const email = address();
    const accountId = await signingIn.account(email);
    const { person_id } = await show(await signingIn.signedIn(email));
    const browser = signingIn.browser();
    expect(await browser.withIdentity('by-mail-before', email.toUpperCase())).toMatchObject({
      person_id,
      account: { id: accountId },
      method: 'provider',
    });
    expect(await identities(person_id)).toEqual([{ subject: 'by-mail-before' }]);
  });

  it('of an invited address is bound with its first sign-in, before the answer', async () => {
    const email = address();
    await invited(email);
    const session = await signingIn.browser().withIdentity('invited', email);
    expect(session).toMatchObject({ account: null, invitations: 1 });
    expect(await refusal(signingIn.browser().withIdentity('someone else', email))).toBe('forbidden');
  });

  it('that may not sign in is not bound, and neither is its address', async () => {
    const email = address();
    expect(await refusal(signingIn.browser().withIdentity('stranger', email))).toBe('forbidden');
    const count = `SELECT count(*)::integer AS count FROM identities WHERE subject = 'stranger'`;
    expect(await signingIn.billing.admin.query(count)).toEqual([{ count: 0 }]);
    await signingIn.account(email);
    expect(await refusal(signingIn.browser().withIdentity('owner', email))).toBeNull();
  });

  it('gets one session for a message that is repeated, also at once', async () => {
    const email = address();
    await signingIn.account(email);
    const [browser, subject] = [signingIn.browser(), uuidv7()];
    const sessions = await Promise.all(Array.from({ length: 5 }, () => browser.withIdentity(subject, email)));
    expect(new Set(sessions.map(({ session_id }) => session_id)).size).toBe(1);
    expect(await browser.withIdentity(subject, email)).toEqual(sessions[0]);
  });

  it.each([1, 2, 3, 4, 5])('of two that come first at once with one address, one gets it (%i)', async () => {
    const email = address();
    await signingIn.account(email);
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => refusal(signingIn.browser().withIdentity(uuidv7(), email))),
    );
    expect(outcomes.filter((code) => code === null)).toHaveLength(1);
    expect(outcomes.filter((code) => code === 'forbidden')).toHaveLength(3);
  });

  it('that comes first with two addresses at once is one person', async () => {
    const emails = [address(), address()];
    for (const email of emails) await signingIn.account(email);
    const subject = uuidv7();
    const sessions = await Promise.all(
      emails.map((email) => signingIn.browser().withIdentity(subject, email)),
    );
    expect(new Set(sessions.map(({ person_id }) => person_id)).size).toBe(1);
  });

  it.each(['ｄemo@corp.example', 'demo@corp。example.com'])(
    'with the address %j is refused',
    async (email) => {
      await signingIn.account('demo@corp.example');
      const { subject } = await bound();
      for (const each of [subject, uuidv7()]) {
        expect(await refusal(signingIn.browser().withIdentity(each, email))).toBe('invalid_request');
      }
    },
  );

  it('of another issuer is bound beside it', async () => {
    const { email, personId } = await bound();
    await signingIn.billing.admin.query(
      `UPDATE identities SET issuer = 'https://old.example' WHERE person_id = $1`,
      [personId],
    );
    expect(await signingIn.browser().withIdentity('new', email)).toMatchObject({ person_id: personId });
    expect(await identities(personId)).toHaveLength(2);
  });
});

describe('when an operator forgets the identities of a person', () => {
  const forget = (email: string) => signingIn.client.request(forgetIdentities, { email }, context);

  it('they are signed out, and the next identity with their address is theirs', async () => {
    const { email, accountId, browser, subject, personId } = await bound();
    expect(await forget(email.toUpperCase())).toEqual({ forgotten: 1 });
    expect(await refusal(show(browser))).toBe('unauthorized');
    const next = signingIn.browser();
    expect(await next.withIdentity('made anew', email)).toMatchObject({ account: { id: accountId } });
    expect(await refusal(signingIn.browser().withIdentity(subject, email))).toBe('forbidden');
    expect(await identities(personId)).toEqual([{ subject: 'made anew' }]);
    expect(await forget(email)).toEqual({ forgotten: 1 });
    expect(await forget(email)).toEqual({ forgotten: 0 });
  });

  it('an address of nobody is not found', async () => {
    expect(await refusal(forget(address()))).toBe('not_found');
    expect(await refusal(forget('ｄemo@corp.example'))).toBe('invalid_request');
  });

  it('a sign-in at the same time leaves one of both orders, and no session of an identity that is bound to nobody', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { email, subject, personId } = await bound();
      const browsers = [signingIn.browser(), signingIn.browser(), signingIn.browser()];
      await Promise.all([...browsers.map((browser) => browser.withIdentity(subject, email)), forget(email)]);
      const left = await Promise.all(browsers.map((browser) => refusal(show(browser))));
      const isBound = (await identities(personId)).length > 0;
      expect([isBound, left.includes(null)]).toEqual([isBound, isBound]);
    }
  });
});

it('a person whose address has changed is moved by an invitation, once their identity is forgotten', async () => {
  const { email, subject } = await bound();
  const newEmail = address();
  const invitation_id = await invited(newEmail);
  const early = signingIn.browser();
  expect(await early.withIdentity(subject, newEmail)).toMatchObject({ email, invitations: 0 });
  await signingIn.client.request(forgetIdentities, { email }, context);
  const browser = signingIn.browser();
  expect(await browser.withIdentity(subject, newEmail)).toMatchObject({ email: newEmail, invitations: 1 });
  const answer = { session_hash: browser.sessionHash, invitation_id, is_accepted: true };
  const session = await signingIn.client.request(answerInvitation, answer, context);
  expect(session).toMatchObject({ email: newEmail, account: { name: 'Acme' }, role: 'member' });
});
