import { type Operator } from './administration/admin-tokens.js';
import { getAccount, renameAccount } from './billing/accounts.js';
import {
  answerInvitation,
  inviteMember,
  leaveAccount,
  listInvitations,
  openAccount,
  revokeInvitation,
} from './billing/invitations.js';
import { createKey, deleteKey, getKey, listKeys, rotateKey, updateKey } from './billing/keys.js';
import { listStatement } from './billing/ledger.js';
import { changeMember, listMembers, removeMember } from './billing/members.js';
import { changeNotices, getNotices, listDeliveries, testNotice } from './billing/notices.js';
import { describeSelling, listOrders, refreshOrder, startOrder, takePaymentEvent } from './billing/orders.js';
import { closeAccount } from './billing/people.js';
import {
  confirmEmailChange,
  describeSignIn,
  describeSignInLink,
  endSession,
  finishSignInByCode,
  finishSignInByLink,
  getSession,
  listSessions,
  requestEmailChange,
  requestSignIn,
  signInWithIdentity,
  switchAccount,
} from './billing/sign-in.js';
import { getPublicCreator } from './catalog/creators.js';
import { getBalance } from './public-api/balance.js';
import { listCalls } from './public-api/calls.js';
import { describeCatalog } from './public-api/filters.js';
import { getUsage } from './public-api/usage.js';

/**
 * The programs that send requests. Each has queues and a user of Redis of its own, so that a service knows through which door a
 * request came, and a flood at one does not delay the other.
 */
export const doors = ['gateway', 'website'] as const;
export type Door = (typeof doors)[number];

/** Account pages, sign-in, pages of creators and Stripe's events: nothing else sends these. */
const ofWebsite = patterns([
  answerInvitation,
  changeMember,
  changeNotices,
  closeAccount,
  confirmEmailChange,
  describeCatalog,
  describeSelling,
  describeSignIn,
  describeSignInLink,
  endSession,
  finishSignInByCode,
  finishSignInByLink,
  getNotices,
  getPublicCreator,
  getSession,
  inviteMember,
  leaveAccount,
  listDeliveries,
  listInvitations,
  listMembers,
  listOrders,
  listSessions,
  openAccount,
  refreshOrder,
  removeMember,
  renameAccount,
  requestEmailChange,
  requestSignIn,
  revokeInvitation,
  signInWithIdentity,
  startOrder,
  switchAccount,
  takePaymentEvent,
  testNotice,
]);

/** Messages of the account pages that the public API or operators send too. */
const ofBoth = patterns([
  createKey,
  deleteKey,
  getAccount,
  getBalance,
  getKey,
  getUsage,
  listCalls,
  listKeys,
  listStatement,
  rotateKey,
  updateKey,
]);

interface Sent {
  readonly pattern: string;
  /** In whose name it was sent. */
  readonly operator?: Operator;
}

/** Whether a service runs a request that came through this door. Only the gateway knows operators. */
export function maySend(door: Door, { pattern, operator }: Sent): boolean {
  if (door === 'gateway') return !ofWebsite.has(pattern);
  return !operator && (ofWebsite.has(pattern) || ofBoth.has(pattern));
}

function patterns(messages: readonly { readonly pattern: string }[]): ReadonlySet<string> {
  return new Set(messages.map(({ pattern }) => pattern));
}
