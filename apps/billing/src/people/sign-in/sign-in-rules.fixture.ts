import {
  changeSignInRules,
  createSignInLink,
  getSession,
  joinAccount,
  listInvitations,
  type OwnInvitations,
  type SessionView,
  setSignInRules,
  type SignInRules,
  switchAccount,
} from '@app/contracts';
import { sha256 } from '@app/platform';
import { v7 as uuidv7 } from 'uuid';
import { context } from '../../running-billing.fixture.js';
import { type Browser, newHash, type SigningIn } from './signing-in.fixture.js';

/** By operators. */
export function setRules(
  { client }: SigningIn,
  account_id: string,
  rules: Partial<{ join_domains: string[]; provider_only: boolean; session_hours: number }>,
): Promise<SignInRules> {
  return client.request(setSignInRules, { account_id, ...rules }, context);
}

/** By whoever is signed in in this browser. */
export function changeRules(
  { client }: SigningIn,
  { sessionHash }: Browser,
  account_id: string,
  rules: { provider_only?: boolean; session_hours?: number },
): Promise<SignInRules> {
  const request = { session_hash: sessionHash, account_id, session_hours: 0, ...rules };
  return client.request(changeSignInRules, request, context);
}

export function show({ client }: SigningIn, { sessionHash }: Browser): Promise<SessionView> {
  return client.request(getSession, { session_hash: sessionHash }, context);
}

export function switchTo({ client }: SigningIn, { sessionHash }: Browser, id: string): Promise<SessionView> {
  return client.request(switchAccount, { session_hash: sessionHash, account_id: id }, context);
}

export function offers({ client }: SigningIn, { sessionHash }: Browser): Promise<OwnInvitations> {
  return client.request(listInvitations, { session_hash: sessionHash }, context);
}

export function join({ client }: SigningIn, { sessionHash }: Browser, id: string): Promise<SessionView> {
  return client.request(joinAccount, { session_hash: sessionHash, account_id: id }, context);
}

/** A browser in which a member has used a link of an operator. */
export async function byOperator(signingIn: SigningIn, account_id: string, email: string): Promise<Browser> {
  const [browser, token] = [signingIn.browser(), newHash()];
  const request = { account_id, email, token_hash: sha256(token) };
  await signingIn.client.request(createSignInLink, request, context);
  await browser.followLink(token);
  return browser;
}

/** A browser in which the owner of this address has signed in through the provider. */
export async function byProvider(signingIn: SigningIn, email: string): Promise<Browser> {
  const browser = signingIn.browser();
  await browser.withIdentity(`of ${email}`, email);
  return browser;
}

export const addressIn = (domain: string): string => `${uuidv7()}@${domain}`;
/** One that no other test uses. */
export const newDomain = (): string => `d${uuidv7()}.example`;
