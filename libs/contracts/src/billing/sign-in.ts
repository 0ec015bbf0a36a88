import { type Done, neverResent, NoPayload, toBilling } from '../message.js';
import { Email } from '../email.js';
import { Id, Pattern, Sha256, Text } from '../shape/fields.js';
import { Both } from '../shape/shape.js';
import { AccountPath } from './accounts.js';
import { type MemberRole } from './members.js';

/** Path of the account pages on the public port of the gateway. */
export const accountPagesPath = '/account';

/** The pages to which errors of the API lead. */
export const accountPaths = { keys: `${accountPagesPath}/keys`, buy: `${accountPagesPath}/buy` } as const;
/** Below the account pages: where a link to sign in leads, with its token as `token`. */
export const signInLinkPath = '/sign-in/link';

const SignInCode = () => Pattern({ pattern: /^[0-9]{6}$/u, max: 6, what: 'a six-digit code' });

/** How people can sign in. */
export interface SignInMethods {
  /** Whether a mail server is set up; without one, operators hand out links. */
  readonly by_mail: boolean;
  /** Whether a new address gets an account of its own. */
  readonly sign_up_open: boolean;
}

/** Where a request came from, as the member sees it in the list of sessions. */
class SignInClient {
  /** The network of the client: an IPv4 address or an IPv6 /64. */
  @Text({ max: 100 })
  readonly network: string;

  @Text({ max: 300 })
  readonly user_agent: string;
}

export class RequestSignInRequest extends SignInClient {
  @Email()
  readonly email: string;

  /** UUIDv7 made by the gateway for this form: a repeated message sends one mail. */
  @Id()
  readonly sign_in_id: string;

  /** SHA-256 of a random value that the browser keeps in a cookie: the code counts only together with it. */
  @Sha256()
  readonly browser_hash: string;

  /** Origin and path of the pages, for the link in the mail, for example `https://api.example/account`. */
  @Text({ max: 500 })
  readonly pages_url: string;
}

/** Reply to a request to sign in, equal for every address, known or not. */
export interface RequestSignInReply {
  readonly valid_for_seconds: number;
}

export class SessionRequest {
  /** SHA-256 of the session's token, which the website makes. */
  @Sha256()
  readonly session_hash: string;
}

/** Begins a session. */
class SignInRequest extends Both(SignInClient, SessionRequest) {}

export class SignInLinkPath {
  /** SHA-256 of the token in the link. */
  @Sha256()
  readonly token_hash: string;
}

export class FinishSignInByLinkRequest extends Both(SignInRequest, SignInLinkPath) {}

/** The person whom a link signs in. */
export interface OpenSignInLink {
  readonly email: string;
  /** The name of the account for which an operator made it; `null` for the link of a mail. */
  readonly account: string | null;
}

export class FinishSignInByCodeRequest extends SignInRequest {
  @Sha256()
  readonly browser_hash: string;

  @SignInCode()
  readonly code: string;
}

/** An identity that an OpenID provider has vouched for, with an address that it has verified. */
export class SignInWithIdentityRequest extends SignInRequest {
  @Email()
  readonly email: string;

  @Text({ max: 500 })
  readonly issuer: string;

  @Text({ max: 255 })
  readonly subject: string;
}

/** How a session was opened; `operator`: by a link that an operator has made. */
export type SessionMethod = 'mail' | 'provider' | 'operator';

export interface OwnAccount {
  readonly id: string;
  readonly name: string;
}

export interface ShownAccount extends OwnAccount {
  /** Operators have suspended it: its API keys are refused, and it can't buy or create keys. */
  readonly is_suspended?: true;
}

/** The signed-in person, and the account that the session shows. */
export interface SessionView {
  readonly session_id: string;
  readonly person_id: string;
  readonly email: string;
  /** `null`: it shows no account, because the person was only invited, or has left their last one. */
  readonly role: MemberRole | null;
  readonly account: ShownAccount | null;
  /** All accounts of the person, by name; among them the present one. */
  readonly accounts: readonly OwnAccount[];
  /** How many wait for an answer. */
  readonly invitations: number;
  /** ISO 8601 UTC. */
  readonly expires_at: string;
}

/** A session that shows an account. */
export type AccountSession = SessionView & {
  readonly role: MemberRole;
  readonly account: ShownAccount;
};

export class SwitchAccountRequest extends Both(SessionRequest, AccountPath) {}

export class EndSessionRequest extends SessionRequest {
  /** Another session of the same person; default: this one. */
  @Id({ optional: true })
  readonly session_id?: string;
}

export interface ListedSession {
  readonly session_id: string;
  readonly is_current: boolean;
  readonly method: SessionMethod;
  readonly network: string;
  readonly user_agent: string;
  readonly signed_in_at: string;
  readonly last_seen_at: string;
}

export class SignInLinkBody {
  /** Address of a member of the account, or with an open invitation; default: its first owner. */
  @Email({ optional: true })
  readonly email?: string;
}

export class SignInLinkRequest extends Both(Both(AccountPath, SignInLinkBody), SignInLinkPath) {}

/** Answers from the configuration only. */
export const describeSignIn = toBilling<SignInMethods>()('describe_sign_in', NoPayload);
/**
 * Sends a mail with a link and a code, both valid once, for ten minutes; to an unknown address only when `SIGN_UP` is
 * open. The reply and its time do not tell which. `rate_limited` after too many for one address. May be sent twice: a
 * sign-in id sends one mail.
 */
export const requestSignIn = toBilling<RequestSignInReply>()('request_sign_in', RequestSignInRequest);
/** Uses nothing up. `unauthorized` for a link that is unknown, used or old. */
export const describeSignInLink = toBilling<OpenSignInLink>()('describe_sign_in_link', SignInLinkPath);
/** `unauthorized` for a link that is unknown, used or old. May be sent twice: the same session hash gets the same session. */
export const finishSignInByLink = toBilling<SessionView>()(
  'finish_sign_in_by_link',
  FinishSignInByLinkRequest,
);
/** `unauthorized` for a wrong, used or old code; the fifth wrong one ends it. May be sent twice, as for the link. */
export const finishSignInByCode = toBilling<SessionView>()(
  'finish_sign_in_by_code',
  FinishSignInByCodeRequest,
);
/**
 * The identity is bound to the person at its first use, and is theirs whatever its address says later. `forbidden` when the address
 * is the person's of another identity of this issuer, and when it is no member's, is not invited, and `SIGN_UP` is
 * not open; the message says which. May be sent twice, as for the link.
 */
export const signInWithIdentity = toBilling<SessionView>()(
  'sign_in_with_identity',
  SignInWithIdentityRequest,
);
/** `unauthorized` when the session is unknown, ended or old, or its person is no longer a member of the account. */
export const getSession = toBilling<SessionView>()('get_session', SessionRequest);
/** `not_found` for an account of others. Never resent: it would undo a newer switch. */
export const switchAccount = toBilling<SessionView>()('switch_account', SwitchAccountRequest, neverResent);
/** Ends this session or another one of the same person; `not_found` for one of others. May be sent twice: ended stays ended. */
export const endSession = toBilling<Done<'ended'>>()('end_session', EndSessionRequest);
/** Sessions that have not ended, newest first. */
export const listSessions = toBilling<{ readonly sessions: ListedSession[] }>()(
  'list_sessions',
  SessionRequest,
);
/** For operators: registers a link that signs a member or an invited person in. `not_found` without either. May be sent twice: by its hash. */
export const createSignInLink = toBilling<{ readonly email: string; readonly valid_for_seconds: number }>()(
  'create_sign_in_link',
  SignInLinkRequest,
);

export class RequestEmailChangeRequest extends SessionRequest {
  @Email()
  readonly email: string;

  /** UUIDv7 made for this form: a repeated message sends one mail. */
  @Id()
  readonly change_id: string;
}

export class ConfirmEmailChangeRequest extends SessionRequest {
  @SignInCode()
  readonly code: string;
}

/**
 * Sends a code to the address that a person wants instead of theirs, the same whether or not it is known. `invalid_request` for the
 * present one, `rate_limited` as for a sign-in, by person too. May be sent twice: a change id sends one mail.
 */
export const requestEmailChange = toBilling<RequestSignInReply>()(
  'request_email_change',
  RequestEmailChangeRequest,
);
/**
 * Sets the address of the newest code, ends the other sessions and mails the previous address. `invalid_request` for a wrong, used or
 * old code, `conflict` for an address of someone else. Never resent: the code counts once.
 */
export const confirmEmailChange = toBilling<{ readonly email: string }>()(
  'confirm_email_change',
  ConfirmEmailChangeRequest,
  neverResent,
);

export class ForgetIdentitiesRequest {
  @Email()
  readonly email: string;
}

/**
 * For operators, when a company has moved to another identity provider: the identities of the person with this address are unbound,
 * and their sessions end; the next identity with this address is theirs. `not_found` without the person. Never resent: it would undo a
 * newer sign-in.
 */
export const forgetIdentities = toBilling<{ readonly forgotten: number }>()(
  'forget_identities',
  ForgetIdentitiesRequest,
  neverResent,
);
