import { createSignInLink, removeMember } from '@app/contracts';
import { sha256 } from '@app/platform';
import { until } from '@app/testing';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { context } from '../../running-billing.fixture.js';
import { codeIn, linkIn, newHash, otherCode, refusal, SigningIn } from './signing-in.fixture.js';

const start = Date.UTC(2026, 2, 1, 12);
const minute = 60_000;

let signingIn: SigningIn;
let log: string;
beforeAll(async () => {
  const lines = new PassThrough();
  lines.on('data', (line: Buffer) => (log += line.toString()));
  log = '';
  signingIn = await SigningIn.start(
    { SIGN_UP: 'invite', SWEEP_PERIOD_MS: '600000' },
    pino({ level: 'trace' }, lines),
  );
});
beforeEach(() => setClock(0));
afterAll(() => signingIn?.close());

/** The ledger's clock stands still, this many ms after the start. */
const setClock = (ms: number): Promise<void> => signingIn.factory.setClock(new Date(start + ms));

/** The address of an account that no other test uses. */
async function ownAddress(): Promise<string> {
  const email = `${uuidv7()}@acme.example`;
  await signingIn.account(email);
  return email;
}

async function storedIn(table: string): Promise<string> {
  return JSON.stringify(await signingIn.billing.admin.query(`SELECT * FROM ${table}`));
}

describe('guessing codes', () => {
  it('ends the sign-in with the fifth wrong one, for the right one too; the link still works', async () => {
    const [email, browser] = [await ownAddress(), signingIn.browser()];
    const mail = await signingIn.mailFor(browser, email);
    const code = codeIn(mail);
    for (const by of [1, 2, 3, 4, 5]) {
      expect(await refusal(browser.typeCode(otherCode(code, by)))).toBe('unauthorized');
    }
    expect(await refusal(browser.typeCode(code))).toBe('unauthorized');
    expect(await browser.followLink(linkIn(mail))).toMatchObject({ email });
  });

  it('goes on with the right one after four wrong ones', async () => {
    const [email, browser] = [await ownAddress(), signingIn.browser()];
    const code = codeIn(await signingIn.mailFor(browser, email));
    for (const by of [1, 2, 3, 4]) await refusal(browser.typeCode(otherCode(code, by)));
    expect(await browser.typeCode(code)).toMatchObject({ email });
  });

  it('in parallel counts each of them', async () => {
    const [email, browser] = [await ownAddress(), signingIn.browser()];
    const code = codeIn(await signingIn.mailFor(browser, email));
    const guesses = Array.from({ length: 40 }, (_, n) =>
      refusal(browser.typeCode(otherCode(code, n + 1), newHash())),
    );
    expect(new Set(await Promise.all(guesses))).toEqual(new Set(['unauthorized']));
    expect(await refusal(browser.typeCode(code))).toBe('unauthorized');
    const attempts = 'SELECT attempts FROM sign_ins WHERE email_folded = $1';
    expect(await signingIn.billing.admin.query(attempts, [email])).toEqual([{ attempts: 5 }]);
  });

  it('in one mail after the other ends with the twentieth wrong one of a day; links go on', async () => {
    const email = await ownAddress();
    for (let mails = 0; mails < 4; mails += 1) {
      const browser = signingIn.browser();
      const code = codeIn(await signingIn.mailFor(browser, email));
      for (const by of [1, 2, 3, 4, 5]) await refusal(browser.typeCode(otherCode(code, by)));
    }
    const browser = signingIn.browser();
    const mail = await signingIn.mailFor(browser, email);
    expect(await refusal(browser.typeCode(codeIn(mail)))).toBe('unauthorized');
    expect(await browser.followLink(linkIn(mail))).toMatchObject({ email });
    await setClock(24 * 60 * minute);
    const nextDay = signingIn.browser();
    expect(await nextDay.typeCode(codeIn(await signingIn.mailFor(nextDay, email)))).toMatchObject({ email });
  });

  it('in another browser is refused, and does not count against the one that asked', async () => {
    const [email, browser, thief] = [await ownAddress(), signingIn.browser(), signingIn.browser()];
    const code = codeIn(await signingIn.mailFor(browser, email));
    await signingIn.mailFor(thief, await ownAddress());
    for (let times = 0; times < 6; times += 1) {
      expect(await refusal(thief.typeCode(code))).toBe('unauthorized');
    }
    expect(await browser.typeCode(code)).toMatchObject({ email });
  });
});

describe('links and codes', () => {
  it('work once, each of them after the other too', async () => {
    const [email, browser] = [await ownAddress(), signingIn.browser()];
    const first = await signingIn.mailFor(browser, email);
    await browser.followLink(linkIn(first));
    expect(await refusal(signingIn.browser().followLink(linkIn(first)))).toBe('unauthorized');
    expect(await refusal(browser.typeCode(codeIn(first), newHash()))).toBe('unauthorized');
    const second = await signingIn.mailFor(browser, email);
    await browser.typeCode(codeIn(second), newHash());
    expect(await refusal(browser.followLink(linkIn(second), newHash()))).toBe('unauthorized');
  });

  it('give one session however many use them at once', async () => {
    const [email, browser] = [await ownAddress(), signingIn.browser()];
    const mail = await signingIn.mailFor(browser, email);
    const uses = Array.from({ length: 10 }, (_, n) =>
      refusal(
        n % 2 === 0 ? browser.followLink(linkIn(mail), newHash()) : browser.typeCode(codeIn(mail), newHash()),
      ),
    );
    expect((await Promise.all(uses)).filter((code) => code === null)).toHaveLength(1);
    const count =
      'SELECT count(*)::integer AS count FROM sessions JOIN people ON people.id = person_id WHERE email = $1';
    expect(await signingIn.billing.admin.query(count, [email])).toEqual([{ count: 1 }]);
  });

  it('end after ten minutes, to the millisecond', async () => {
    const [email, browser] = [await ownAddress(), signingIn.browser()];
    const mail = await signingIn.mailFor(browser, email);
    await setClock(10 * minute);
    expect(await refusal(browser.followLink(linkIn(mail)))).toBe('unauthorized');
    expect(await refusal(browser.typeCode(codeIn(mail)))).toBe('unauthorized');
    await setClock(10 * minute - 1);
    expect(await browser.typeCode(codeIn(mail))).toMatchObject({ email });
  });

  it("of an operator end after an hour, and are no mail's", async () => {
    const id = await signingIn.account(`${uuidv7()}@acme.example`);
    const token = newHash();
    await signingIn.client.request(createSignInLink, { account_id: id, token_hash: sha256(token) }, context);
    await setClock(60 * minute);
    expect(await refusal(signingIn.browser().followLink(token))).toBe('unauthorized');
    await setClock(60 * minute - 1);
    expect(await refusal(signingIn.browser().followLink(token))).toBeNull();
  });

  it('of someone who was removed meanwhile sign nobody in', async () => {
    const [id, email, browser] = [
      await signingIn.account(`${uuidv7()}@acme.example`),
      `${uuidv7()}@acme.example`,
      signingIn.browser(),
    ];
    const person_id = await signingIn.member(id, email);
    const mail = await signingIn.mailFor(browser, email);
    await signingIn.client.request(removeMember, { account_id: id, person_id }, context);
    expect(await refusal(browser.followLink(linkIn(mail)))).toBe('unauthorized');
    expect(await refusal(browser.typeCode(codeIn(mail)))).toBe('unauthorized');
  });

  it('that nobody has sent are refused', async () => {
    expect(await refusal(signingIn.browser().followLink('nothing'))).toBe('unauthorized');
    expect(await refusal(signingIn.browser().typeCode('123456'))).toBe('unauthorized');
  });
});

describe('whether an address is known', () => {
  it('can be seen neither from the reply nor from how long it takes: it is looked up afterwards', async () => {
    const [known, unknown] = [await ownAddress(), `${uuidv7()}@acme.example`];
    const { admin } = signingIn.billing;
    const runner = admin.createQueryRunner();
    await runner.startTransaction();
    try {
      // Whoever looks at people or members waits.
      await runner.query('LOCK TABLE people, members IN ACCESS EXCLUSIVE MODE');
      const replies = await Promise.all([known, unknown].map((email) => signingIn.browser().ask(email)));
      expect(replies).toEqual([{ valid_for_seconds: 600 }, { valid_for_seconds: 600 }]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
    await signingIn.inbox.mailTo(known);
    expect(signingIn.inbox.attempts).not.toContain(unknown);
  });

  it('can be seen neither from how many mails may be asked for, nor from how long a mail server takes', async () => {
    for (const email of [await ownAddress(), `${uuidv7()}@acme.example`]) {
      const asked = Array.from({ length: 8 }, () => refusal(signingIn.browser().ask(email)));
      const outcomes = (await Promise.all(asked)).filter((code) => code === 'rate_limited');
      expect({ email, refused: outcomes.length }).toEqual({ email, refused: 3 });
      await setClock(15 * minute);
      expect(await refusal(signingIn.browser().ask(email))).toBeNull();
      await setClock(0);
    }
  });
});

describe('what is written down', () => {
  it('is neither a link nor a code, nor what would do in their place: in no log and in no table', async () => {
    const [email, browser] = [await ownAddress(), signingIn.browser()];
    const mail = await signingIn.mailFor(browser, email);
    await refusal(browser.typeCode(otherCode(codeIn(mail))));
    await browser.typeCode(codeIn(mail));
    const written = log + (await storedIn('sign_ins')) + (await storedIn('sessions'));
    for (const secret of [
      linkIn(mail),
      codeIn(mail),
      `${codeIn(mail).slice(0, 3)} ${codeIn(mail).slice(3)}`,
      browser.hash,
    ]) {
      expect(written).not.toContain(secret);
    }
  });

  it('does not hold a mail that could not be sent', async () => {
    const lines: string[] = [];
    const output = new PassThrough().on('data', (line: Buffer) => lines.push(line.toString()));
    const other = await SigningIn.start({ SIGN_UP: 'invite' }, pino({ level: 'trace' }, output));
    try {
      const email = `${uuidv7()}@acme.example`;
      await other.account(email);
      other.inbox.refuse(() => ({ code: 550, text: 'No such mailbox' }));
      await other.browser().ask(email);
      await expectLine(lines, 'A mail could not be sent');
      const all = lines.join('');
      expect(all).toContain('550');
      expect(all).not.toContain('token=');
      expect(all).not.toMatch(/\b\d{3} \d{3}\b/);
    } finally {
      await other.close();
    }
  });
});

async function expectLine(lines: readonly string[], text: string): Promise<void> {
  await until(() => lines.some((line) => line.includes(text)));
}
