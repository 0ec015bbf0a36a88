import { setTimeout as pause } from 'node:timers/promises';
import { type Stack } from '#dev';
import { MailInbox, type PageVisitor, type ShownPage, until } from '#testing';
import { v7 as uuidv7 } from 'uuid';
import { newOwner, newVisitor, useLink } from '../support/members.js';
import { linkIn } from '../support/selling.js';
import { startOperatedStack } from './support/operated-stack.js';

/** Of docs/security.md. */
const mailsOfMailbox = 5;
const invitationsOfAccount = 20;
const arrivesWithinMs = 2_000;
const victim = 'victim@elsewhere.example';

let stack: Stack;
let inbox: MailInbox;
beforeAll(async () => {
  inbox = await MailInbox.start();
  stack = await startOperatedStack({
    replicas: { website: 2, billing: 2 },
    environment: {
      MAIL_URL: inbox.url,
      MAIL_FROM: 'Creator Search <no-reply@search.example>',
      SIGN_UP: 'open',
      TRUST_PROXY: '127.0.0.1',
    },
  });
}, 120_000);
afterAll(() => Promise.all([stack?.stop(), inbox?.close()]));

type Attack = (round: number) => Promise<ShownPage>;

function post(visitor: PageVisitor, path: string, fields: Record<string, string>, from = '203.0.113.200') {
  return visitor.post(path, fields, { origin: visitor.origin, 'x-forwarded-for': from });
}

async function tokenOn(visitor: PageVisitor, path: string): Promise<string> {
  const { forms } = await visitor.get(path);
  return forms.find(({ fields }) => fields.form_token !== undefined)?.fields.form_token ?? '';
}

/** An owner invites a victim again and again, and strangers. */
async function attacksOfOwner(): Promise<Attack[]> {
  const { owner } = await newOwner();
  const members = '/account/settings/members';
  const form_token = await tokenOn(owner, '/account/settings');
  const invite = (email: string, invitation_id: string) =>
    post(owner, members, { form_token, email, role: 'member', invitation_id });
  return [
    async () => {
      const id = uuidv7();
      const invited = await invite(victim, id);
      return invited.status === 303
        ? post(owner, `${members}/invitations/${id}/revoke`, { form_token })
        : invited;
    },
    (round) => invite(`stranger-${round}@strangers.example`, uuidv7()),
  ];
}

/** Asks for mails to one mailbox, in many spellings and from many networks. */
async function attackOfStranger(): Promise<Attack> {
  const first = newVisitor();
  const form_token = await tokenOn(first, '/account/sign-in');
  return (round) => {
    // A mail that was asked for gives the browser another token.
    const visitor = newVisitor();
    for (const [name, value] of first.cookies) visitor.cookies.set(name, value);
    const local = ['somebody', 'so.me.body', 's.omebody'][round % 3] ?? '';
    const email = `${local}+${round}@${round % 2 === 0 ? 'gmail' : 'GoogleMail'}.com`;
    return post(visitor, '/account/sign-in', { form_token, email }, `2001:db8:${round.toString(16)}::1`);
  };
}

/** Someone who signs in by mail; resolves to how long the mail took. */
async function signInByMail(email: string, from: string): Promise<number> {
  const visitor = newVisitor();
  const form_token = await tokenOn(visitor, '/account/sign-in');
  const asked = performance.now();
  expect((await post(visitor, '/account/sign-in', { form_token, email }, from)).status).toBe(303);
  const mail = await inbox.mailTo(email, 1, 'Sign in');
  const ms = performance.now() - asked;
  await useLink(visitor, linkIn(mail));
  expect((await visitor.get('/account')).status).toBe(200);
  return ms;
}

it('an owner and strangers can send no more mails than the limits allow, and sign-in mails of others arrive meanwhile', async () => {
  const attacks = [...(await attacksOfOwner()), await attackOfStranger()];
  const statuses = new Set<number>();
  let isStopped = false;
  const attacking = attacks.map(async (attack) => {
    for (let round = 0; !isStopped; round += 1) statuses.add((await attack(round)).status);
  });
  for (let number = 0; number < 10; number += 1) {
    await pause(500);
    const ms = await signInByMail(`person-${number}@people.example`, `203.0.113.${number}`);
    expect(ms).toBeLessThan(arrivesWithinMs);
  }
  isStopped = true;
  await Promise.all(attacking);
  expect([...statuses].filter((status) => ![303, 400, 409, 429].includes(status))).toEqual([]);
  const mailsTo = (address: RegExp) => inbox.mails.filter(({ to }) => address.test(to)).map(({ to }) => to);
  const [mailbox, invited] = [/@(gmail|googlemail)\.com$/, /^victim@|@strangers\.example$/];
  await until(
    () => mailsTo(invited).length >= invitationsOfAccount && mailsTo(mailbox).length >= mailsOfMailbox,
  );
  expect(mailsTo(mailbox)).toHaveLength(mailsOfMailbox);
  // Of them one to the victim.
  expect(mailsTo(invited)).toHaveLength(invitationsOfAccount);
  expect(new Set(mailsTo(invited)).size).toBe(invitationsOfAccount);
}, 60_000);
