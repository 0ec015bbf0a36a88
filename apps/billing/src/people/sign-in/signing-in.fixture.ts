import { randomBytes } from 'node:crypto';
import {
  createAccount,
  type ErrorCode,
  finishSignInByCode,
  finishSignInByLink,
  listMembers,
  type MemberRole,
  requestSignIn,
  ServiceError,
  type SessionView,
  signInWithIdentity,
} from '@app/contracts';
import { type Logger, sha256 } from '@app/platform';
import { BillingFactory, MailInbox, type ReceivedMail } from '@app/testing';
import { v7 as uuidv7 } from 'uuid';
import { context, runBilling, type RunningBilling } from '../../running-billing.fixture.js';

export const pagesUrl = 'https://api.example/account';
/** Of identities. */
export const issuer = 'https://id.example';
export const sender = { network: '203.0.113.7', user_agent: 'Firefox' };

/** Billing with a mail server, and browsers of people who sign in. */
export class SigningIn {
  private constructor(
    readonly billing: RunningBilling,
    readonly inbox: MailInbox,
    readonly factory: BillingFactory,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}, log?: Logger): Promise<SigningIn> {
    const inbox = await MailInbox.start();
    const mail = { MAIL_URL: inbox.url, MAIL_FROM: 'Creator Search <no-reply@api.example>' };
    const billing = await runBilling({ ...mail, ...environment }, log);
    const factory = new BillingFactory((sql, parameters) => billing.admin.query(sql, parameters));
    return new SigningIn(billing, inbox, factory);
  }

  get client(): RunningBilling['client'] {
    return this.billing.client;
  }

  /** A browser in which nobody is signed in. */
  browser(): Browser {
    return new Browser(this);
  }

  /** An account with its address as the owner; returns its id. */
  async account(email: string, name = 'Acme'): Promise<string> {
    const request = { account_id: uuidv7(), name, email, idempotency_key: uuidv7() };
    return (await this.client.request(createAccount, request, context)).account.id;
  }

  /** A member without an invitation; returns the id of the person. */
  member(accountId: string, email: string, role: MemberRole = 'member'): Promise<string> {
    return this.factory.member(accountId, email, role);
  }

  async members(accountId: string): Promise<string[]> {
    const { members } = await this.client.request(listMembers, { account_id: accountId }, context);
    return members.map(({ email }) => email);
  }

  /** A browser in which the owner of this address has signed in. */
  async signedIn(email: string): Promise<Browser> {
    const browser = this.browser();
    await browser.followLink(linkIn(await this.mailFor(browser, email)));
    return browser;
  }

  /** The mail that a browser has asked for. */
  async mailFor(browser: Browser, email: string): Promise<ReceivedMail> {
    const subject = 'Sign in to';
    const count = this.inbox.mailsTo(email, subject).length + 1;
    await browser.ask(email);
    return this.inbox.mailTo(email, count, subject);
  }

  async close(): Promise<void> {
    await this.billing.close();
    await this.inbox.close();
  }
}

/** What the gateway sends for one browser. */
export class Browser {
  /** Of the random value in its cookie. */
  readonly hash = sha256(randomBytes(32).toString('base64url'));
  /** Of the session that it is given. */
  sessionHash = newHash();

  constructor(private readonly signingIn: SigningIn) {}

  /** Asks for a mail to this address; resolves to the reply. */
  ask(email: string, signInId = uuidv7()): Promise<unknown> {
    const request = { ...sender, email, sign_in_id: signInId, browser_hash: this.hash, pages_url: pagesUrl };
    return this.signingIn.client.request(requestSignIn, request, context);
  }

  followLink(token: string, sessionHash = this.sessionHash): Promise<SessionView> {
    const request = { ...sender, token_hash: sha256(token), session_hash: sessionHash };
    return this.signingIn.client.request(finishSignInByLink, request, context);
  }

  /** Comes back from the OpenID provider, which vouches for this address. */
  withIdentity(subject: string, email: string, sessionHash = this.sessionHash): Promise<SessionView> {
    const request = { ...sender, issuer, subject, email, session_hash: sessionHash };
    return this.signingIn.client.request(signInWithIdentity, request, context);
  }

  typeCode(code: string, sessionHash = this.sessionHash): Promise<SessionView> {
    const request = { ...sender, browser_hash: this.hash, code, session_hash: sessionHash };
    return this.signingIn.client.request(finishSignInByCode, request, context);
  }
}

/** A SHA-256 of something that nobody knows. */
export function newHash(): string {
  return sha256(randomBytes(32).toString('hex'));
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
