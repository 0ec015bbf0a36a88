import {
  changeMember,
  endSession,
  findSessions,
  getSession,
  listMembers,
  listSessions,
  removeMember,
  type SessionView,
  switchAccount,
} from '@app/contracts';
import { sha256 } from '@app/platform';
import { until } from '@app/testing';
import { v7 as uuidv7 } from 'uuid';
import { context } from '../../running-billing.fixture.js';
import { type Browser, linkIn, newHash, refusal, SigningIn } from '../sign-in/signing-in.fixture.js';

const start = Date.UTC(2026, 2, 1, 12);
const minute = 60_000;
const day = 24 * 60 * minute;

let signingIn: SigningIn;
beforeAll(async () => (signingIn = await SigningIn.start({ SWEEP_PERIOD_MS: '600000' })));
beforeEach(() => setClock(0));
afterAll(() => signingIn?.close());

const setClock = (ms: number): Promise<void> => signingIn.factory.setClock(new Date(start + ms));
const iso = (ms: number): string => new Date(start + ms).toISOString();

const show = ({ sessionHash }: Browser): Promise<SessionView> =>
  signingIn.client.request(getSession, { session_hash: sessionHash }, context);
const switchTo = ({ sessionHash }: Browser, account_id: string): Promise<SessionView> =>
  signingIn.client.request(switchAccount, { session_hash: sessionHash, account_id }, context);
const end = ({ sessionHash }: Browser, session_id?: string): Promise<{ ended: true }> =>
  signingIn.client.request(
    endSession,
    { session_hash: sessionHash, ...(session_id === undefined ? {} : { session_id }) },
    context,
  );
const list = async ({ sessionHash }: Browser) =>
  (await signingIn.client.request(listSessions, { session_hash: sessionHash }, context)).sessions;

/** A person with one account, signed in. */
async function person(): Promise<{ email: string; accountId: string; browser: Browser }> {
  const email = `${uuidv7()}@acme.example`;
  const accountId = await signingIn.account(email);
  return { email, accountId, browser: await signingIn.signedIn(email) };
}

describe('a session', () => {
  it('lasts 30 days from when it was last seen, which is noted every ten minutes', async () => {
    const { browser, accountId } = await person();
    const lastSeen = async (): Promise<string | null | undefined> => {
      const { members } = await signingIn.client.request(listMembers, { account_id: accountId }, context);
      return members[0]?.last_seen_at;
    };
    expect(await show(browser)).toMatchObject({ expires_at: iso(30 * day) });
    await setClock(10 * minute - 1);
    expect(await show(browser)).toMatchObject({ expires_at: iso(30 * day) });
    expect(await lastSeen()).toBe(iso(0));
    await setClock(10 * minute);
    expect(await show(browser)).toMatchObject({ expires_at: iso(30 * day + 10 * minute) });
    expect(await lastSeen()).toBe(iso(10 * minute));
    await setClock(30 * day + 10 * minute - 1);
    expect(await show(browser)).toMatchObject({ expires_at: iso(60 * day + 10 * minute - 1) });
    await setClock(60 * day + 10 * minute - 1);
    expect(await refusal(show(browser))).toBe('unauthorized');
    expect(await refusal(list(browser))).toBe('unauthorized');
    expect(await refusal(switchTo(browser, accountId))).toBe('unauthorized');
  });

  it('that nobody has begun is refused everywhere', async () => {
    const nobody = signingIn.browser();
    expect(await refusal(show(nobody))).toBe('unauthorized');
    expect(await refusal(list(nobody))).toBe('unauthorized');
    expect(await refusal(switchTo(nobody, uuidv7()))).toBe('unauthorized');
    expect(await refusal(end(nobody, uuidv7()))).toBe('unauthorized');
    expect(await end(nobody)).toEqual({ ended: true });
  });

  it('ends by itself and from another browser of the person, and stays ended', async () => {
    const { email, browser } = await person();
    const [other, third] = [await signingIn.signedIn(email), await signingIn.signedIn(email)];
    const { session_id } = await show(other);
    expect(await end(browser, session_id)).toEqual({ ended: true });
    expect(await refusal(show(other))).toBe('unauthorized');
    expect(await end(browser, session_id)).toEqual({ ended: true });
    expect(await end(third)).toEqual({ ended: true });
    expect(await end(third)).toEqual({ ended: true });
    await setClock(11 * minute);
    expect(await refusal(show(third))).toBe('unauthorized');
    expect(await refusal(show(other))).toBe('unauthorized');
    expect(await show(browser)).toMatchObject({ email });
  });

  it('can neither be ended nor seen by others', async () => {
    const [one, stranger] = [await person(), await person()];
    const { session_id } = await show(one.browser);
    expect(await refusal(end(stranger.browser, session_id))).toBe('not_found');
    expect(await refusal(end(stranger.browser, uuidv7()))).toBe('not_found');
    expect((await list(stranger.browser)).map((each) => each.session_id)).not.toContain(session_id);
    expect(await show(one.browser)).toMatchObject({ email: one.email });
  });

  it('is not opened by knowing what is stored of it', async () => {
    const { browser } = await person();
    const [row] = await signingIn.billing.admin.query<{ token_hash: string }[]>(
      'SELECT token_hash FROM sessions WHERE token_hash = $1',
      [browser.sessionHash],
    );
    const thief = signingIn.browser();
    // The gateway hashes what a cookie holds, also when that is a hash.
    thief.sessionHash = sha256(row?.token_hash ?? '');
    expect(await refusal(show(thief))).toBe('unauthorized');
  });
});

describe('the list of sessions', () => {
  it('shows those that have not ended, newest first, and which is the present one', async () => {
    const { email, browser } = await person();
    await setClock(minute);
    const second = await signingIn.signedIn(email);
    await setClock(2 * minute);
    const third = await signingIn.signedIn(email);
    await end(second);
    const [newest, oldest, ...others] = await list(browser);
    expect(others).toEqual([]);
    expect(newest).toEqual({
      session_id: (await show(third)).session_id,
      is_current: false,
      method: 'mail',
      network: '203.0.113.7',
      user_agent: 'Firefox',
      signed_in_at: iso(2 * minute),
      last_seen_at: iso(2 * minute),
    });
    expect(oldest).toMatchObject({ is_current: true, signed_in_at: iso(0) });
  });
});

describe('several accounts of a person', () => {
  it('are switched between; a new session opens the last one', async () => {
    const { email, browser, accountId } = await person();
    const second = await signingIn.account(`${uuidv7()}@acme.example`, 'Second');
    await signingIn.member(second, email);
    await setClock(minute);
    expect(await switchTo(browser, second)).toMatchObject({ account: { id: second }, role: 'member' });
    expect(await show(browser)).toMatchObject({ account: { id: second, name: 'Second' } });
    expect(await show(await signingIn.signedIn(email))).toMatchObject({ account: { id: second } });
    expect(await switchTo(browser, accountId)).toMatchObject({ account: { id: accountId }, role: 'owner' });
  });

  it('are never those of others, whether they exist or not', async () => {
    const [{ browser, accountId }, stranger] = [await person(), await person()];
    expect(await refusal(switchTo(browser, stranger.accountId))).toBe('not_found');
    expect(await refusal(switchTo(browser, uuidv7()))).toBe('not_found');
    expect(await show(browser)).toMatchObject({ account: { id: accountId } });
  });
});

describe('a member', () => {
  it('who is removed is signed out of that account at once, and of no other', async () => {
    const { email, browser, accountId } = await person();
    const second = await signingIn.account(`${uuidv7()}@acme.example`);
    const person_id = await signingIn.member(second, email);
    const inSecond = await signingIn.signedIn(email);
    await switchTo(inSecond, second);
    await signingIn.client.request(removeMember, { account_id: second, person_id }, context);
    expect(await refusal(show(inSecond))).toBe('unauthorized');
    expect(await refusal(switchTo(inSecond, accountId))).toBe('unauthorized');
    expect(await refusal(switchTo(browser, second))).toBe('not_found');
    expect(await show(browser)).toMatchObject({ accounts: [{ id: accountId }] });
    await signingIn.member(second, email);
    expect(await refusal(show(inSecond))).toBe('unauthorized');
  });

  it('whose membership is gone although their session was not ended is signed out too', async () => {
    const { browser, accountId } = await person();
    await signingIn.billing.admin.query('DELETE FROM members WHERE account_id = $1', [accountId]);
    expect(await refusal(show(browser))).toBe('unauthorized');
  });

  it('who gets another role has it in the sessions that are open', async () => {
    const { accountId } = await person();
    const email = `${uuidv7()}@acme.example`;
    const person_id = await signingIn.member(accountId, email);
    const browser = await signingIn.signedIn(email);
    expect(await show(browser)).toMatchObject({ role: 'member' });
    await signingIn.client.request(
      changeMember,
      { account_id: accountId, person_id, role: 'owner' },
      context,
    );
    expect(await show(browser)).toMatchObject({ role: 'owner' });
  });

  /** Begins the message while a removal is about to be committed, and commits it once the message waits for that. */
  async function removedDuring<Reply>(
    [account_id, person_id]: readonly [string, string],
    begin: () => Promise<Reply>,
  ): Promise<Reply> {
    const removal = signingIn.billing.admin.createQueryRunner();
    try {
      await removal.startTransaction();
      await removal.query('DELETE FROM members WHERE account_id = $1 AND person_id = $2', [
        account_id,
        person_id,
      ]);
      const reply = begin();
      const locks = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until(async () => (await signingIn.billing.admin.query<object[]>(locks)).length === 1);
      await removal.commitTransaction();
      return await reply;
    } finally {
      await removal.release();
    }
  }

  it('is removed for good also while they are signing in: that waits for the removal', async () => {
    const email = `${uuidv7()}@acme.example`;
    const account = await signingIn.account(`${uuidv7()}@acme.example`);
    const person_id = await signingIn.member(account, email);
    const browser = signingIn.browser();
    const mail = await signingIn.mailFor(browser, email);
    const session = await removedDuring([account, person_id], () => browser.followLink(linkIn(mail)));
    expect(session.accounts.map(({ id }) => id)).not.toContain(account);
  });

  it('is removed for good also while they are switching to the account', async () => {
    const { browser, email, accountId } = await person();
    const account = await signingIn.account(`${uuidv7()}@acme.example`);
    const person_id = await signingIn.member(account, email);
    const outcome = await removedDuring([account, person_id], () => refusal(switchTo(browser, account)));
    expect(outcome).toBe('not_found');
    expect(await show(browser)).toMatchObject({ account: { id: accountId } });
  });
});

it('a hash that no session has opens nothing', async () => {
  expect(await refusal(signingIn.client.request(getSession, { session_hash: newHash() }, context))).toBe(
    'unauthorized',
  );
});

it('says of many at once which have not ended', async () => {
  const [one, other] = [await person(), await person()];
  const hashes = [newHash(), one.browser.sessionHash, other.browser.sessionHash, newHash()];
  const found = async (): Promise<readonly boolean[]> =>
    (await signingIn.client.request(findSessions, { session_hashes: hashes }, context)).found;
  expect(await found()).toEqual([false, true, true, false]);
  await end(one.browser);
  expect(await found()).toEqual([false, false, true, false]);
});
