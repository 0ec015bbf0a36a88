import { PassThrough } from 'node:stream';
import {
  createAccount,
  createKey,
  createSignInLink,
  type ErrorCode,
  type InviteMemberReply,
  inviteMember,
  listMembers,
  type MessageContract,
  type MemberRole,
  type Members,
  removeMember,
  ServiceError,
} from '#contracts';
import { type Logger, sha256 } from '#platform';
import { BillingFactory, MailInbox, type ReceivedMail } from '#testing';
import { type Level, pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { context, runBilling, type RunningBilling } from '../running-billing.fixture.js';
import { Browser, newHash } from './browser.fixture.js';

export const start = Date.UTC(2026, 2, 1, 12);

/** An address that no other test uses. */
export const address = (domain = 'acme.example'): string => `${uuidv7()}@${domain}`;

/** Starts billing for the suite; its clock shows `start` when a test begins. */
export function usePeople(environment: Readonly<Record<string, string>> = {}, log?: Logger): People {
  const people = new People();
  beforeAll(() => people.start(environment, log));
  beforeEach(() => people.setClock(0));
  afterAll(() => people.close());
  return people;
}

/** Billing with a mail server, and people who sign in with their browsers. */
export class People {
  private billing: RunningBilling;
  private factory: BillingFactory;
  inbox: MailInbox;

  async start(environment: Readonly<Record<string, string>>, log?: Logger): Promise<void> {
    this.inbox = await MailInbox.start();
    const mail = { MAIL_URL: this.inbox.url, MAIL_FROM: 'Creator Search <no-reply@api.example>' };
    const quiet = { SITE_URL: 'https://api.example', SWEEP_PERIOD_MS: '600000' };
    this.billing = await runBilling({ ...mail, ...quiet, ...environment }, log);
    this.factory = new BillingFactory((sql, parameters) => this.admin.query(sql, parameters));
  }

  async close(): Promise<void> {
    await this.billing.close();
    await this.inbox.close();
  }

  /** Sends a message as the gateway does; for an operator with `ADMIN_TOKEN` if one is given. */
  send<Request, Reply>(
    message: MessageContract<Request, Reply>,
    request: Request,
    operator?: string,
  ): Promise<Reply> {
    const asking = operator === undefined ? context : { ...context, operator: { id: null, name: operator } };
    return this.billing.client.request(message, request, asking);
  }

  get admin(): RunningBilling['admin'] {
    return this.billing.admin;
  }

  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]> {
    return this.admin.query<Row[]>(sql, parameters);
  }

  /** Stops the ledger's clock this many ms after `start`. */
  setClock(ms: number): Promise<void> {
    return this.factory.setClock(new Date(start + ms));
  }

  /** A browser without a session. */
  browser(): Browser {
    return new Browser(this);
  }

  /** An account with its address as the owner; returns its id. */
  async account(email = address(), name = 'Acme'): Promise<string> {
    const request = { account_id: uuidv7(), name, email, idempotency_key: uuidv7() };
    return (await this.send(createAccount, request)).account.id;
  }

  /** An account whose owner has signed in by mail. */
  async team(name?: string, email = address()): Promise<Team> {
    const id = await this.account(email, name);
    const owner = await this.signedIn(email);
    return { id, email, owner, personId: (await owner.show()).person_id };
  }

  /** A member without an invitation; returns the id of the person. */
  member(accountId: string, email = address(), role: MemberRole = 'member'): Promise<string> {
    return this.factory.member(accountId, email, role);
  }

  /** A key that the owner of the team has created. */
  async key({ id, personId }: Team): Promise<{ readonly keyId: string; readonly keyHash: string }> {
    const [keyId, keyHash] = [uuidv7(), newHash()];
    const key = { key_id: keyId, key_hash: keyHash, prefix: 'csk_abcdef', name: 'tool' };
    const created = { account_id: id, created_by: personId, idempotency_key: uuidv7() };
    await this.send(createKey, { ...key, ...created });
    return { keyId, keyHash };
  }

  /** An order of the team in a state, paid too little, about which an operator may have to decide. */
  order({ id, personId }: Team, state: string) {
    return this.query(
      `INSERT INTO orders (id, account_id, person_id, pack, credits, price_cents, state, ordered_at, checked_at, problem, problem_at,
         problem_sessions, payment_intent_id)
       VALUES (gen_random_uuid(), $1::uuid, $2, 'trial', 50, 1900, $3::text, ledger_now(), ledger_now(), 'paid too little', ledger_now(), '{cs_1}', 'pi_' || $1::text || $3)`,
      [id, personId, state],
    );
  }

  list(accountId: string): Promise<Members> {
    return this.send(listMembers, { account_id: accountId });
  }

  /** The addresses of the members. */
  async members(accountId: string): Promise<string[]> {
    return (await this.list(accountId)).members.map(({ email }) => email);
  }

  remove(account_id: string, person_id: string): Promise<{ removed: true }> {
    return this.send(removeMember, { account_id, person_id });
  }

  invite(
    { id, personId }: Pick<Team, 'id' | 'personId'>,
    email: string,
    { role = 'member', invitation_id = uuidv7() }: { role?: MemberRole; invitation_id?: string } = {},
  ): Promise<InviteMemberReply> {
    const request = { account_id: id, email, role, invitation_id, person_id: personId };
    return this.send(inviteMember, request);
  }

  /** An operator's link with this token. */
  link(account_id: string, token: string, email?: string) {
    const request = { account_id, token_hash: sha256(token), ...(email === undefined ? {} : { email }) };
    return this.send(createSignInLink, request);
  }

  /** A browser in which the person of this address has signed in by mail. */
  async signedIn(email: string): Promise<Browser> {
    const browser = this.browser();
    await browser.followLink(linkIn(await this.mailFor(browser, email)));
    return browser;
  }

  /** The mail that this browser requests. */
  async mailFor(browser: Browser, email: string): Promise<ReceivedMail> {
    const subject = 'Sign in to';
    const count = this.inbox.mailsTo(email, subject).length + 1;
    await browser.ask(email);
    return this.inbox.mailTo(email, count, subject);
  }
}

export interface Team {
  readonly id: string;
  readonly email: string;
  readonly owner: Browser;
  readonly personId: string;
}

/** The token in the link of a mail. */
export function linkIn({ text }: ReceivedMail): string {
  const token = /\/sign-in\/link\?token=([\w-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link in the mail: ${text}`);
  return token;
}

/** The code in a mail, six digits. */
export function codeIn({ text }: ReceivedMail): string {
  const [, first, second] = /^(\d{3}) (\d{3})$/m.exec(text) ?? [];
  if (first === undefined || second === undefined) throw new Error(`no code in the mail: ${text}`);
  return first + second;
}

/** Another code than this one. */
export function otherCode(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0');
}

/** The code of the error with which a message was refused; `null` when it was not. */
export async function refusal(reply: Promise<unknown>): Promise<ErrorCode | null> {
  try {
    await reply;
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

/** The distinct outcomes of several messages. */
export async function refusals(...replies: Promise<unknown>[]): Promise<(ErrorCode | null)[]> {
  return [...new Set(await Promise.all(replies.map(refusal)))];
}

/** How many of several messages were accepted (`ok`), and how many refused with which code. */
export async function tally(replies: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const code of await Promise.all(replies.map(refusal))) {
    counts[code ?? 'ok'] = (counts[code ?? 'ok'] ?? 0) + 1;
  }
  return counts;
}

/** A logger, and the lines that it has written. */
export function recordedLog(level: Level): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const output = new PassThrough().on('data', (line: Buffer) => lines.push(line.toString()));
  return { log: pino({ level }, output), lines };
}
