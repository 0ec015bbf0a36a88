import { forgetIdentities, ServiceError } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { issuer } from '../browser.fixture.js';
import { address as addressIn, recordedLog, refusal, usePeople } from '../people.fixture.js';

const { log, lines } = recordedLog('info');
const people = usePeople({ SIGN_UP: 'invite' }, log);

const address = (): string => addressIn('corp.example');
const identities = (personId: string): Promise<{ subject: string }[]> =>
  people.query('SELECT subject FROM identities WHERE person_id = $1', [personId]);
const forget = (email: string) => people.send(forgetIdentities, { email });

/** An account whose owner signs in through the provider. */
async function bound(subject: string = uuidv7()) {
  const email = address();
  const accountId = await people.account(email);
  const browser = people.browser();
  const { person_id: personId } = await browser.withIdentity(subject, email);
  return { email, accountId, browser, subject, personId };
}

/** An open invitation for an address; resolves to its id. */
async function invited(email: string): Promise<string> {
  const { accountId, personId } = await bound();
  return (await people.invite({ id: accountId, personId }, email)).id;
}

describe('an address that moves to someone else', () => {
  it('does not move the account: the new identity is refused with an explanation, and logged', async () => {
    const { email, personId, subject } = await bound();
    await expect(people.browser().withIdentity(uuidv7(), email)).rejects.toThrow(
      new ServiceError(
        'forbidden',
        'This email address already belongs to another person here. Contact an owner of the account or the operator of this service.',
      ),
    );
    expect(await identities(personId)).toEqual([{ subject }]);
    expect(lines.join('')).toContain(`Person ${personId}: refused another identity`);
  });

  it('leaves the account to the person of the identity, who keeps their address whatever the provider gives', async () => {
    const [{ email, accountId, subject, personId }, other] = [await bound(), await bound()];
    const account = { id: accountId };
    for (const given of [address(), email, address(), other.email]) {
      const session = await people.browser().withIdentity(subject, given);
      expect(session).toMatchObject({ email, account, person_id: personId });
    }
    expect(lines.join('')).toContain(`${issuer} gives an address other than theirs`);
    expect(await (await people.signedIn(email)).show()).toMatchObject({ person_id: personId });
  });

  it('leaves invitations for it to its new owner', async () => {
    const { email, subject, browser } = await bound();
    const invitationId = await invited(email);
    const moved = people.browser();
    expect((await moved.withIdentity(subject, address())).invitations).toBe(0);
    expect(await moved.offers()).toMatchObject({ invitations: [], can_open_account: false });
    expect(await refusal(moved.answer(invitationId))).toBe('not_found');
    expect(await refusal(moved.openOwn())).toBe('forbidden');
    expect(await browser.show()).toMatchObject({ invitations: 1 });
  });

  it('does not let its former owner in by an invitation for it', async () => {
    const { email, subject, accountId, personId } = await bound();
    await people.member(accountId, address(), 'owner');
    await people.remove(accountId, personId);
    await invited(email);
    expect(await refusal(people.browser().withIdentity(subject, address()))).toBe('forbidden');
    expect(await refusal(people.browser().withIdentity(subject, email))).toBeNull();
  });
});

describe('an identity', () => {
  it('is bound at its first use to the person who has signed in by mail before', async () => {
    const { email, id, personId } = await people.team('Acme', address());
    expect(await people.browser().withIdentity('by-mail-before', email.toUpperCase())).toMatchObject({
      person_id: personId,
      account: { id },
    });
    expect(await identities(personId)).toEqual([{ subject: 'by-mail-before' }]);
  });

  it('of an invited address is bound at its first sign-in, before the answer', async () => {
    const email = address();
    await invited(email);
    const session = await people.browser().withIdentity('invited', email);
    expect(session).toMatchObject({ account: null, invitations: 1 });
    expect(await refusal(people.browser().withIdentity('someone else', email))).toBe('forbidden');
  });

  it('that may not sign in is not bound, and neither is its address', async () => {
    const email = address();
    expect(await refusal(people.browser().withIdentity('stranger', email))).toBe('forbidden');
    await people.account(email);
    expect(await refusal(people.browser().withIdentity('owner', email))).toBeNull();
  });

  it('gets one session for a message that is repeated, and is the only one bound of four with one address at once', async () => {
    const email = address();
    await people.account(email);
    const browsers = Array.from({ length: 4 }, () => ({ browser: people.browser(), subject: uuidv7() }));
    const twice = [...browsers, ...browsers].map(({ browser, subject }) =>
      browser.withIdentity(subject, email),
    );
    const settled = await Promise.allSettled(twice);
    const opened = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value.session_id : []));
    expect([opened.length, new Set(opened).size]).toEqual([2, 1]);
  });

  it('that comes first with two addresses at once is one person', async () => {
    const [emails, subject] = [[address(), address()], uuidv7()];
    for (const email of emails) await people.account(email);
    const sessions = await Promise.all(emails.map((email) => people.browser().withIdentity(subject, email)));
    expect(new Set(sessions.map(({ person_id }) => person_id)).size).toBe(1);
  });

  it('of another issuer is bound too', async () => {
    const { email, personId } = await bound();
    await people.query(`UPDATE identities SET issuer = 'https://old.example' WHERE person_id = $1`, [
      personId,
    ]);
    expect(await people.browser().withIdentity('new', email)).toMatchObject({ person_id: personId });
    expect(await identities(personId)).toHaveLength(2);
  });
});

describe('when an operator forgets the identities of a person', () => {
  it('they are signed out, and the next identity with their address is theirs', async () => {
    const { email, accountId, browser, subject, personId } = await bound();
    expect(await forget(email.toUpperCase())).toEqual({ forgotten: 1 });
    expect(await refusal(browser.show())).toBe('unauthorized');
    const next = await people.browser().withIdentity('new subject', email);
    expect(next).toMatchObject({ account: { id: accountId } });
    expect(await refusal(people.browser().withIdentity(subject, email))).toBe('forbidden');
    expect(await identities(personId)).toEqual([{ subject: 'new subject' }]);
    expect(await forget(email)).toEqual({ forgotten: 1 });
    expect(await forget(email)).toEqual({ forgotten: 0 });
    expect(await refusal(forget(address()))).toBe('not_found');
  });

  it('an invitation moves the person to their new address', async () => {
    const { email, subject } = await bound();
    const newEmail = address();
    const invitationId = await invited(newEmail);
    const early = await people.browser().withIdentity(subject, newEmail);
    expect(early).toMatchObject({ email, invitations: 0 });
    await forget(email);
    const browser = people.browser();
    const session = await browser.withIdentity(subject, newEmail);
    expect(session).toMatchObject({ email: newEmail, invitations: 1 });
    const joined = { email: newEmail, account: { name: 'Acme' }, role: 'member' };
    expect(await browser.answer(invitationId)).toMatchObject(joined);
  });
});
