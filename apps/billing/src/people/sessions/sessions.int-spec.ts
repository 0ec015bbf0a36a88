import { sha256 } from '#platform';
import { until } from '#testing';
import { dayMs as day, minuteMs as minute } from '../../durations.js';
import { address, linkIn, refusal, refusals, start, tally, usePeople } from '../people.fixture.js';

const people = usePeople();
const iso = (ms: number): string => new Date(start + ms).toISOString();

describe('a session', () => {
  it('lasts 30 days from when it was last seen, which is noted every ten minutes', async () => {
    const { owner, id } = await people.team();
    const lastSeen = async () => (await people.list(id)).members[0]?.last_seen_at;
    expect(await owner.show()).toMatchObject({ expires_at: iso(30 * day) });
    await people.setClock(10 * minute - 1);
    expect(await owner.show()).toMatchObject({ expires_at: iso(30 * day) });
    expect(await lastSeen()).toBe(iso(0));
    await people.setClock(10 * minute);
    expect(await owner.show()).toMatchObject({ expires_at: iso(30 * day + 10 * minute) });
    expect(await lastSeen()).toBe(iso(10 * minute));
    await people.setClock(30 * day + 10 * minute - 1);
    expect(await owner.show()).toMatchObject({ expires_at: iso(60 * day + 10 * minute - 1) });
    await people.setClock(60 * day + 10 * minute - 1);
    expect(await refusals(owner.show(), owner.sessions(), owner.switchTo(id))).toEqual(['unauthorized']);
  });

  it('is ended by its own browser or another one of the person, and stays ended', async () => {
    const { email, owner } = await people.team();
    const [other, third] = [await people.signedIn(email), await people.signedIn(email)];
    const { session_id } = await other.show();
    for (let times = 0; times < 2; times += 1) {
      expect([await owner.end(session_id), await third.end()]).toEqual([{ ended: true }, { ended: true }]);
    }
    await people.setClock(11 * minute);
    expect(await refusals(third.show(), other.show())).toEqual(['unauthorized']);
    expect(await owner.show()).toMatchObject({ email });
  });

  it('is neither seen, ended nor opened by other people, and shows none of their accounts', async () => {
    const [one, { owner: stranger, id }] = [await people.team(), await people.team()];
    const { session_id } = await one.owner.show();
    expect(await refusals(stranger.end(session_id), stranger.switchTo(one.id))).toEqual(['not_found']);
    expect((await stranger.sessions()).map((each) => each.session_id)).not.toContain(session_id);
    expect(await stranger.show()).toMatchObject({ account: { id } });
    const [row] = await people.query<{ token_hash: string }>(
      'SELECT token_hash FROM sessions WHERE id = $1',
      [session_id],
    );
    const thief = people.browser();
    // The gateway hashes what a cookie holds, also when that is a hash.
    thief.sessionHash = sha256(row?.token_hash ?? '');
    const replies = [thief.show(), thief.sessions(), thief.switchTo(one.id), thief.end(session_id)];
    expect(await refusals(...replies)).toEqual(['unauthorized']);
    expect(await thief.end()).toEqual({ ended: true });
    expect(await one.owner.show()).toMatchObject({ email: one.email });
  });

  it('switches between the accounts of its person, and a new one opens the last of them', async () => {
    const { email, owner, id } = await people.team();
    const second = await people.account(address(), 'Second');
    await people.member(second, email);
    await people.setClock(minute);
    expect(await owner.switchTo(second)).toMatchObject({ account: { id: second }, role: 'member' });
    expect(await owner.show()).toMatchObject({ account: { id: second, name: 'Second' } });
    expect(await (await people.signedIn(email)).show()).toMatchObject({ account: { id: second } });
    expect(await owner.switchTo(id)).toMatchObject({ account: { id }, role: 'owner' });
  });
});

describe('a member', () => {
  it('who is removed is signed out of that account at once, and of no other', async () => {
    const { email, owner, id } = await people.team();
    const second = await people.account();
    const personId = await people.member(second, email);
    const inSecond = await people.signedIn(email);
    await inSecond.switchTo(second);
    await people.remove(second, personId);
    expect(await refusal(inSecond.show())).toBe('unauthorized');
    expect(await refusal(inSecond.switchTo(id))).toBe('unauthorized');
    expect(await refusal(owner.switchTo(second))).toBe('not_found');
    expect(await owner.show()).toMatchObject({ accounts: [{ id }] });
    await people.member(second, email);
    expect(await refusal(inSecond.show())).toBe('unauthorized');
  });

  it('is an owner at the end when two owners are removed at once', async () => {
    const { id, personId } = await people.team();
    const other = await people.member(id, address(), 'owner');
    const removals = [personId, other].map((each) => people.remove(id, each));
    expect(await tally(removals)).toEqual({ ok: 1, conflict: 1 });
    expect(await people.members(id)).toHaveLength(1);
  });

  it('whose membership is gone is signed out even if their session was not ended', async () => {
    const { owner, id } = await people.team();
    await people.query('DELETE FROM members WHERE account_id = $1', [id]);
    expect(await refusal(owner.show())).toBe('unauthorized');
  });

  /** Begins the message while a removal is about to be committed, and commits it once the message waits for that. */
  async function removedDuring<Reply>(member: [string, string], begin: () => Promise<Reply>): Promise<Reply> {
    const removal = people.admin.createQueryRunner();
    try {
      await removal.startTransaction();
      await removal.query('DELETE FROM members WHERE account_id = $1 AND person_id = $2', member);
      const reply = begin();
      const locks = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until(async () => (await people.query(locks)).length === 1);
      await removal.commitTransaction();
      return await reply;
    } finally {
      await removal.release();
    }
  }

  it('is removed for good also while they sign in, which waits for the removal', async () => {
    const [account, email, browser] = [await people.account(), address(), people.browser()];
    const personId = await people.member(account, email);
    const mail = await people.mailFor(browser, email);
    const session = await removedDuring([account, personId], () => browser.followLink(linkIn(mail)));
    expect(session.accounts.map(({ id }) => id)).not.toContain(account);
  });

  it('is removed for good also while they switch to the account', async () => {
    const { owner, email, id } = await people.team();
    const account = await people.account();
    const personId = await people.member(account, email);
    const outcome = await removedDuring([account, personId], () => refusal(owner.switchTo(account)));
    expect(outcome).toBe('not_found');
    expect(await owner.show()).toMatchObject({ account: { id } });
  });
});
