import { randomBytes } from 'node:crypto';
import {
  answerInvitation,
  closeAccount,
  confirmEmailChange,
  endSession,
  finishSignInByCode,
  finishSignInByLink,
  getSession,
  type ListedSession,
  listInvitations,
  listSessions,
  openAccount,
  type OwnInvitations,
  type RequestSignInReply,
  requestEmailChange,
  requestSignIn,
  type SessionView,
  signInWithIdentity,
  switchAccount,
} from '#contracts';
import { sha256 } from '#platform';
import { v7 as uuidv7 } from 'uuid';
import { type People } from './people.fixture.js';

export const pagesUrl = 'https://api.example/account';
/** The issuer of identities. */
export const issuer = 'https://id.example';
export const sender = { network: '203.0.113.7', user_agent: 'Firefox' };

/** What the gateway sends for one browser. */
export class Browser {
  /** The hash of the random value in its cookie. */
  readonly hash = newHash();
  /** The hash of its session's token. */
  sessionHash = newHash();

  constructor(private readonly people: People) {}

  /** Requests a mail to this address. */
  ask(email: string, sign_in_id = uuidv7()): Promise<RequestSignInReply> {
    const request = { ...sender, email, sign_in_id, browser_hash: this.hash, pages_url: pagesUrl };
    return this.people.send(requestSignIn, request);
  }

  followLink(token: string, session_hash = this.sessionHash): Promise<SessionView> {
    const request = { ...sender, token_hash: sha256(token), session_hash };
    return this.people.send(finishSignInByLink, request);
  }

  typeCode(code: string, session_hash = this.sessionHash): Promise<SessionView> {
    const request = { ...sender, browser_hash: this.hash, code, session_hash };
    return this.people.send(finishSignInByCode, request);
  }

  /** Signs in with an identity of the OpenID provider, which gives this address. */
  withIdentity(subject: string, email: string): Promise<SessionView> {
    const request = { ...sender, issuer, subject, email, ...this.session };
    return this.people.send(signInWithIdentity, request);
  }

  show(): Promise<SessionView> {
    return this.people.send(getSession, this.session);
  }

  switchTo(account_id: string): Promise<SessionView> {
    return this.people.send(switchAccount, { ...this.session, account_id });
  }

  /** Ends a session of the person; default: this one. */
  end(session_id?: string): Promise<{ ended: true }> {
    const request = { ...this.session, ...(session_id === undefined ? {} : { session_id }) };
    return this.people.send(endSession, request);
  }

  async sessions(): Promise<readonly ListedSession[]> {
    return (await this.people.send(listSessions, this.session)).sessions;
  }

  /** Invitations, and accounts that the person may open. */
  offers(): Promise<OwnInvitations> {
    return this.people.send(listInvitations, this.session);
  }

  answer(invitation_id: string, is_accepted = true): Promise<SessionView> {
    const request = { ...this.session, invitation_id, is_accepted };
    return this.people.send(answerInvitation, request);
  }

  close(account_id: string, name: string): Promise<{ closed: true }> {
    return this.people.send(closeAccount, { ...this.session, account_id, name });
  }

  /** Requests a code to an address that the person wants instead of theirs. */
  want(email: string, change_id = uuidv7()): Promise<RequestSignInReply> {
    return this.people.send(requestEmailChange, { ...this.session, email, change_id });
  }

  confirm(code: string): Promise<{ email: string }> {
    return this.people.send(confirmEmailChange, { ...this.session, code });
  }

  openOwn(): Promise<SessionView> {
    return this.people.send(openAccount, { ...this.session, account_id: uuidv7() });
  }

  private get session(): { session_hash: string } {
    return { session_hash: this.sessionHash };
  }
}

/** A SHA-256 of a random value. */
export function newHash(): string {
  return sha256(randomBytes(32).toString('hex'));
}
