import { type PageVisitor } from '#testing';
import { admin, succeeded } from './admin-api.js';
import { newVisitor, useLink } from './members.js';
import { linkIn, mailTo } from './selling.js';

export interface SignInRules {
  readonly join_domains: string[];
  readonly provider_only: boolean;
  readonly session_hours: number | null;
}

/** By an operator. */
export async function setRules(accountId: string, rules: object): Promise<SignInRules> {
  return succeeded(await admin.call<SignInRules>('PATCH', `/accounts/${accountId}/sign-in-rules`, rules));
}

/** A visitor who signs in with the link of a mail. */
export async function signInByMail(email: string): Promise<PageVisitor> {
  const visitor = newVisitor();
  await visitor.submit((await visitor.get('/account/sign-in')).form('/sign-in'), { email });
  await useLink(visitor, linkIn(await mailTo(email)));
  return visitor;
}
