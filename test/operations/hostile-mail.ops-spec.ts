import { setTimeout as pause } from 'node:timers/promises';
import { freePort, type Stack } from '#dev';
import { MailInbox, type PageVisitor, type ReceivedMail, runSql, type ShownPage, until } from '#testing';
import { v7 as uuidv7 } from 'uuid';
import { adjust } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { inviteOnPage, newOwner, newVisitor, useLink } from '../support/members.js';
import { linkIn } from '../support/selling.js';
import { startOperatedStack } from './support/operated-stack.js';

/** Of docs/security.md. */
const mailsOfMailbox = 5;
const invitationsOfAccount = 20;
const testsOfAccount = 10;
const arrivesWithinMs = 2_000;

const victim = 'victim@elsewhere.example';
/** U+FF43 for its first letter. */
const lookAlike = '\uFF43fo@corp.example';

let stack: Stack;
let inbox: MailInbox;
beforeAll(async () => {
  inbox = await MailInbox.start();
  const publicPort = await freePort();
  stack = await startOperatedStack({
    replicas: { gateway: 2, billing: 2 },
    publicPort,
    environment: {
      MAIL_URL: inbox.url,
      MAIL_FROM: 'Creator Search <no-reply@search.example>',
      SIGN_UP: 'open',
      PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
      TRUST_PROXY: '127.0.0.1',
      SWEEP_PERIOD_MS: '200',
    },
  });
}, 120_000);
afterAll(() => Promise.all([stack?.stop(), inbox?.close()]));

type Attack = (round: number) => Promise<ShownPage>;

const post = (
  visitor: PageVisitor,
  path: string,
  fields: Record<string, string>,
  from?: string,
): Promise<ShownPage> =>
  visitor.post(path, fields, {
    origin: visitor.origin,
    ...(from !== undefined && { 'x-forwarded-for': from }),
  });
const tokenOn = async (visitor: PageVisitor, path: string): Promise<string> => {
  const { forms } = await visitor.get(path);
  return forms.find(({ fields }) => fields.form_token !== undefined)?.fields.form_token ?? '';
};

/** Does all of it again and again until stopped; resolves to how often it was answered with which status. */
function keepDoing(...attacks: readonly Attack[]) {
  const statuses: Record<number, number> = {};
  let isStopped = false;
  const running = attacks.map(async (attack) => {
    for (let round = 0; !isStopped; round += 1) {
      const { status } = await attack(round);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  return async (): Promise<Record<number, number>> => {
    isStopped = true;
    await Promise.all(running);
    return statuses;
  };
}

/** What an owner can do who wants that others get mail. */
async function attacksOfOwner(): Promise<{ accountId: string; attacks: readonly Attack[] }> {
  const { account, owner } = await newOwner();
  await adjust(account.id, 10);
  const form_token = await tokenOn(owner, '/account/settings');
  // Its deliveries are refused, because it leads inside.
  await runSql(
    stack.databaseUrls.billing,
    `INSERT INTO notice_settings (account_id, notify_by_email, webhook_url, webhook_secret, balance_checked_at)
     VALUES ('${account.id}', true, 'https://127.0.0.1/', 'whsec_${'a'.repeat(44)}', ledger_now())
     ON CONFLICT (account_id) DO UPDATE SET webhook_url = excluded.webhook_url, webhook_secret = excluded.webhook_secret`,
  );
  const settings = '/account/settings';
  const invite = (email: string, invitation_id = uuidv7()) =>
    post(owner, `${settings}/members`, { form_token, email, role: 'member', invitation_id });
  return {
    accountId: account.id,
    attacks: [
      async () => {
        const id = uuidv7();
        const invited = await invite(victim, id);
        if (invited.status !== 303) return invited;
        return post(owner, `${settings}/members/invitations/${id}/revoke`, { form_token });
      },
      (round) => invite(`stranger-${round}@strangers.example`),
      (round) =>
        post(owner, `${settings}/notices`, {
          form_token,
          balance_threshold: String(1_000 + (round % 2)),
          notify_by_email: 'yes',
          webhook_url: 'https://127.0.0.1/',
        }),
      () => post(owner, `${settings}/notices/test`, { form_token, notice_id: uuidv7() }),
    ],
  };
}

/** Asks for mails to one mailbox, in many spellings and from many networks. */
async function attackOfStranger(): Promise<Attack> {
  const first = newVisitor();
  const form_token = await tokenOn(first, '/account/sign-in');
  const cookies = [...first.cookies];
  return (round) => {
    // A mail that was asked for gives the browser another token.
    const visitor = newVisitor();
    for (const [name, value] of cookies) visitor.cookies.set(name, value);
    const local = ['somebody', 'so.me.body', 's.omebody'][round % 3] ?? '';
    const email = `${local}+${round}@${round % 2 === 0 ? 'gmail' : 'GoogleMail'}.com`;
    const from =
      round % 2 === 0 ? `198.18.${(round >> 7) % 256}.${round % 256}` : `2001:db8:${round.toString(16)}::1`;
    return post(visitor, '/account/sign-in', { form_token, email }, from);
  };
}

/** Someone who signs in by mail; resolves to how long the mail took. */
async function signInByMail(email: string, from: string): Promise<{ visitor: PageVisitor; ms: number }> {
  const visitor = newVisitor();
  const form_token = await tokenOn(visitor, '/account/sign-in');
  const asked = performance.now();
  const { status } = await post(visitor, '/account/sign-in', { form_token, email }, from);
  expect(status).toBe(303);
  const mail = await inbox.mailTo(email, 1, 'Sign in');
  const ms = performance.now() - asked;
  await useLink(visitor, linkIn(mail));
  return { visitor, ms };
}

it('an owner and strangers can send no more mails than the limits allow, and sign-in mails of others arrive meanwhile', async () => {
  const { accountId, attacks } = await attacksOfOwner();
  const strangers = await attackOfStranger();
  const stop = keepDoing(...attacks, strangers, strangers);
  const durations: number[] = [];
  for (let number = 0; number < 10; number += 1) {
    await pause(500);
    const { visitor, ms } = await signInByMail(`person-${number}@people.example`, `203.0.113.${number}`);
    durations.push(ms);
    expect((await visitor.get('/account')).status).toBe(200);
  }
  const statuses = await stop();
  expect(
    Object.keys(statuses)
      .map(Number)
      .filter((status) => ![303, 400, 409, 429].includes(status)),
  ).toEqual([]);
  expect(Math.max(...durations)).toBeLessThan(arrivesWithinMs);

  const mailsTo = (isMeant: (mail: ReceivedMail) => boolean): string[] =>
    inbox.mails.filter(isMeant).map(({ to }) => to);
  const toMailbox = () => mailsTo(({ to }) => /@(gmail|googlemail)\.com$/.test(to));
  const invitations = () => mailsTo(({ to }) => to === victim || to.endsWith('@strangers.example'));
  const notices = () => mailsTo(({ subject }) => subject.endsWith(' credits left'));
  await until(
    () =>
      invitations().length >= invitationsOfAccount &&
      toMailbox().length >= mailsOfMailbox &&
      notices().length >= 1,
  );
  expect(toMailbox()).toHaveLength(mailsOfMailbox);
  expect(invitations()).toHaveLength(invitationsOfAccount);
  expect(new Set(invitations()).size).toBe(invitationsOfAccount);
  expect(inbox.mailsTo(victim)).toHaveLength(1);
  expect(notices()).toHaveLength(1);
  const [rows] = await runSql<{ tests: number; low: number }>(
    stack.databaseUrls.billing,
    `SELECT count(*) FILTER (WHERE kind = 'test')::integer AS tests, count(*) FILTER (WHERE kind = 'balance_low')::integer AS low
     FROM notices WHERE account_id = '${accountId}'`,
  );
  expect(rows).toEqual({ tests: testsOfAccount, low: 1 });
}, 60_000);

it('an address that looks like another is refused, and no mail is sent to it', async () => {
  const { owner } = await newOwner();
  expect((await inviteOnPage(owner, lookAlike)).status).toBe(400);
  const visitor = newVisitor();
  const form_token = await tokenOn(visitor, '/account/sign-in');
  const asked = await post(visitor, '/account/sign-in', { form_token, email: lookAlike }, '203.0.113.101');
  expect(asked.status).toBe(400);
  const created = await admin.call('POST', '/accounts', { name: 'Corp', email: lookAlike });
  expect(created.status).toBe(400);

  // The real person has an account of their own.
  await admin.call('POST', '/accounts', { name: 'Corp', email: 'cfo@corp.example' });
  const { visitor: real } = await signInByMail('cfo@corp.example', '203.0.113.102');
  expect((await real.get('/account')).text).toContain('Corp');
  expect(inbox.mails.filter(({ to }) => to.includes('corp.example')).map(({ to }) => to)).toEqual([
    'cfo@corp.example',
  ]);
  const people = await runSql(
    stack.databaseUrls.billing,
    `SELECT email FROM people WHERE email LIKE '%corp.example'`,
  );
  expect(people).toEqual([{ email: 'cfo@corp.example' }]);
});
