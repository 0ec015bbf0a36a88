import { until } from '#testing';
import { newHash } from '../browser.fixture.js';
import { dayMs as day, minuteMs as minute } from '../../durations.js';
import {
  address,
  codeIn,
  linkIn,
  otherCode,
  recordedLog,
  refusal,
  tally,
  usePeople,
} from '../people.fixture.js';

const { log, lines } = recordedLog('trace');
const people = usePeople({ SIGN_UP: 'invite' }, log);

/** The address of an account that no other test uses. */
async function ownAddress(): Promise<string> {
  const email = address();
  await people.account(email);
  return email;
}

/** A browser that has requested a mail to such an address, and the mail. */
async function requested() {
  const [email, browser] = [await ownAddress(), people.browser()];
  const mail = await people.mailFor(browser, email);
  return { email, browser, mail, code: codeIn(mail), token: linkIn(mail) };
}

const storedIn = async (table: string): Promise<string> =>
  JSON.stringify(await people.query(`SELECT * FROM ${table}`));

describe('guessing codes', () => {
  it('in parallel counts every attempt', async () => {
    const { email, browser, code } = await requested();
    const guesses = Array.from({ length: 40 }, (_, n) => browser.typeCode(otherCode(code, n + 1), newHash()));
    expect(await tally(guesses)).toEqual({ unauthorized: 40 });
    expect(await refusal(browser.typeCode(code))).toBe('unauthorized');
    const attempts = 'SELECT attempts FROM sign_ins WHERE email_folded = $1';
    expect(await people.query(attempts, [email])).toEqual([{ attempts: 5 }]);
  });

  it('over several mails ends with the twentieth wrong one of a day; links still work', async () => {
    const email = await ownAddress();
    for (let mails = 0; mails < 4; mails += 1) {
      const browser = people.browser();
      const code = codeIn(await people.mailFor(browser, email));
      for (const by of [1, 2, 3, 4, 5]) await refusal(browser.typeCode(otherCode(code, by)));
    }
    const [browser, nextDay] = [people.browser(), people.browser()];
    const mail = await people.mailFor(browser, email);
    expect(await refusal(browser.typeCode(codeIn(mail)))).toBe('unauthorized');
    expect(await browser.followLink(linkIn(mail))).toMatchObject({ email });
    await people.setClock(day);
    expect(await nextDay.typeCode(codeIn(await people.mailFor(nextDay, email)))).toMatchObject({ email });
  });

  it('in another browser is refused, and does not count against the one that requested the mail', async () => {
    const [{ email, browser, code }, thief] = [await requested(), (await requested()).browser];
    for (let times = 0; times < 6; times += 1) {
      expect(await refusal(thief.typeCode(code))).toBe('unauthorized');
    }
    expect(await browser.typeCode(code)).toMatchObject({ email });
  });
});

describe('links and codes', () => {
  it('give one session however many use them at once', async () => {
    const { email, browser, code, token } = await requested();
    const uses = Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0 ? browser.followLink(token, newHash()) : browser.typeCode(code, newHash()),
    );
    expect(await tally(uses)).toEqual({ ok: 1, unauthorized: 9 });
    const opened = 'SELECT FROM sessions JOIN people ON people.id = person_id WHERE email_folded = $1';
    expect(await people.query(opened, [email])).toHaveLength(1);
  });

  it('end after ten minutes, to the millisecond', async () => {
    const { email, browser, code, token } = await requested();
    await people.setClock(10 * minute);
    expect(await refusal(browser.followLink(token))).toBe('unauthorized');
    expect(await refusal(browser.typeCode(code))).toBe('unauthorized');
    await people.setClock(10 * minute - 1);
    expect(await browser.typeCode(code)).toMatchObject({ email });
  });

  it('of an operator end after an hour', async () => {
    const token = newHash();
    await people.link(await people.account(), token);
    await people.setClock(60 * minute);
    expect(await refusal(people.browser().followLink(token))).toBe('unauthorized');
    await people.setClock(60 * minute - 1);
    expect(await refusal(people.browser().followLink(token))).toBeNull();
  });

  it('are refused for a person who was removed meanwhile', async () => {
    const [id, email, browser] = [await people.account(), address(), people.browser()];
    const personId = await people.member(id, email);
    const mail = await people.mailFor(browser, email);
    await people.remove(id, personId);
    expect(await refusal(browser.followLink(linkIn(mail)))).toBe('unauthorized');
    expect(await refusal(browser.typeCode(codeIn(mail)))).toBe('unauthorized');
  });
});

describe('whether an address is known', () => {
  it('can be seen neither from the reply nor from its timing, because the address is looked up afterwards', async () => {
    const [known, unknown] = [await ownAddress(), address()];
    const runner = people.admin.createQueryRunner();
    await runner.startTransaction();
    try {
      // Every query of people or members waits.
      await runner.query('LOCK TABLE people, members IN ACCESS EXCLUSIVE MODE');
      const replies = await Promise.all([known, unknown].map((email) => people.browser().ask(email)));
      expect(replies).toEqual([{ valid_for_seconds: 600 }, { valid_for_seconds: 600 }]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
    await people.inbox.mailTo(known);
    expect(people.inbox.attempts).not.toContain(unknown);
  });

  it('cannot be seen from how many mails can be requested', async () => {
    for (const email of [await ownAddress(), address()]) {
      const asked = Array.from({ length: 8 }, () => people.browser().ask(email));
      expect({ email, ...(await tally(asked)) }).toEqual({ email, ok: 5, rate_limited: 3 });
      await people.setClock(15 * minute);
      expect(await refusal(people.browser().ask(email))).toBeNull();
      await people.setClock(0);
    }
  });
});

describe('logs and tables', () => {
  it('hold no link and no code, nor anything that works in their place', async () => {
    const { browser, code, token } = await requested();
    await refusal(browser.typeCode(otherCode(code)));
    await browser.typeCode(code);
    const written = lines.join('') + (await storedIn('sign_ins')) + (await storedIn('sessions'));
    for (const secret of [token, code, `${code.slice(0, 3)} ${code.slice(3)}`, browser.hash]) {
      expect(written).not.toContain(secret);
    }
  });

  it('do not hold a mail that could not be sent', async () => {
    const email = await ownAddress();
    const before = lines.length;
    const written = () => lines.slice(before).join('');
    people.inbox.refuse((to) => (to === email ? { code: 550, text: 'No such mailbox' } : null));
    await people.browser().ask(email);
    await until(() => written().includes('A mail could not be sent'));
    expect(written()).toContain('550');
    expect(written()).not.toContain('token=');
    expect(written()).not.toMatch(/\b\d{3} \d{3}\b/);
  });
});
