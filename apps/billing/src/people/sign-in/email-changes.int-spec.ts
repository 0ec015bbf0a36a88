import { createSignInLink, getAccount } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { newHash } from '../browser.fixture.js';
import { minuteMs as minute } from '../../durations.js';
import {
  address,
  codeIn,
  linkIn,
  otherCode,
  refusal,
  refusals,
  tally,
  usePeople,
} from '../people.fixture.js';

const people = usePeople();
const subject = 'Confirm your email address';

/** The code that a browser's request brings. */
async function codeFor(browser: { want(email: string): Promise<unknown> }, email: string): Promise<string> {
  const count = people.inbox.mailsTo(email, subject).length + 1;
  await browser.want(email);
  return codeIn(await people.inbox.mailTo(email, count, subject));
}

describe('another email address', () => {
  it('is that of the person and of their account once its code is typed: other sessions end, and the old address is notified', async () => {
    const [{ id, email, owner, personId }, wanted] = [await people.team(), address()];
    const elsewhere = await people.signedIn(email);
    await owner.want(` ${wanted.toUpperCase()} `);
    const code = codeIn(await people.inbox.mailTo(wanted, 1, subject));
    expect((await owner.show()).email).toBe(email);
    expect(await owner.confirm(code)).toEqual({ email: wanted });
    expect(await owner.show()).toMatchObject({ email: wanted, person_id: personId });
    expect(await refusal(elsewhere.show())).toBe('unauthorized');
    expect((await people.send(getAccount, { account_id: id })).email).toBe(wanted);
    const notified = await people.inbox.mailTo(email, 1, 'Your email address');
    expect(notified.text).toContain(wanted);
    expect(notified.text).toContain('If this was not you');
    expect((await (await people.signedIn(wanted)).show()).person_id).toBe(personId);
    const link = { account_id: id, email, token_hash: newHash() };
    expect(await refusal(people.send(createSignInLink, link, 'Eva'))).toBe('not_found');
  });

  it('is confirmed once, within ten minutes, in the session that asked, by the newest code, which is not guessed', async () => {
    const [{ email, owner }, wanted] = [await people.team(), address()];
    const elsewhere = await people.signedIn(email);
    const first = await codeFor(owner, wanted);
    const second = await codeFor(owner, wanted);
    expect(await refusal(elsewhere.confirm(second))).toBe('invalid_request');
    if (first !== second) expect(await refusal(owner.confirm(first))).toBe('invalid_request');
    await people.setClock(10 * minute);
    expect(await refusal(owner.confirm(second))).toBe('invalid_request');
    const third = await codeFor(owner, wanted);
    for (let by = 1; by <= 5; by += 1) await refusal(owner.confirm(otherCode(third, by)));
    expect(await refusal(owner.confirm(third))).toBe('invalid_request');
    const fourth = await codeFor(owner, wanted);
    const confirmed = Array.from({ length: 4 }, () => owner.confirm(fourth));
    expect(await tally(confirmed)).toEqual({ ok: 1, invalid_request: 3 });
  });

  it('of someone else is answered and mailed as any other; only who reads its mail learns that it is taken', async () => {
    const [{ owner, email }, taken, free] = [await people.team(), await people.team(), address()];
    const replies = [await owner.want(taken.email), await owner.want(free)];
    expect(replies[0]).toEqual(replies[1]);
    const [one, other] = await Promise.all(
      [taken.email, free].map((to) => people.inbox.mailTo(to, 1, subject)),
    );
    expect(one?.text.replace(/\d{3} \d{3}/, '')).toBe(other?.text.replace(/\d{3} \d{3}/, ''));
    const code = await codeFor(owner, taken.email);
    expect(await refusal(owner.confirm(code))).toBe('conflict');
    expect(await refusal(owner.confirm(code))).toBe('invalid_request');
    expect([(await owner.show()).email, (await taken.owner.show()).email]).toEqual([email, taken.email]);
  });

  it('is asked for five times in 15 minutes by a person, and mailed once for a form', async () => {
    const [{ owner, email }, wanted, id] = [await people.team(), address(), uuidv7()];
    await Promise.all([owner.want(wanted, id), owner.want(wanted, id)]);
    for (let count = 1; count < 5; count += 1) await owner.want(address());
    expect(await refusals(owner.want(address()), owner.want(email))).toEqual([
      'rate_limited',
      'invalid_request',
    ]);
    await people.inbox.mailTo(wanted, 1, subject);
    expect(people.inbox.mailsTo(wanted, subject)).toHaveLength(1);
    await people.setClock(15 * minute);
    await owner.want(address());
  });

  it('opens no session by its code, and no link of the old one opens one of the person', async () => {
    const [{ email, owner, personId }, wanted] = [await people.team(), address()];
    const before = people.browser();
    const old = linkIn(await people.mailFor(before, email));
    const code = await codeFor(owner, wanted);
    const thief = people.browser();
    Object.assign(thief, { hash: owner.sessionHash });
    expect(await refusal(thief.typeCode(code))).toBe('unauthorized');
    await owner.confirm(code);
    expect((await before.followLink(old)).person_id).not.toBe(personId);
  });
});
