import {
  acceptOrder,
  adjust,
  answerInvitation,
  auditLedger,
  authenticateKeys,
  changeMember,
  changeNotices,
  changeSignInRules,
  charge,
  createAccount,
  createKey,
  createSignInLink,
  deleteCreator,
  deleteKey,
  describeSelling,
  describeSignIn,
  endAgreement,
  endSession,
  fieldsOf,
  finishImport,
  finishSignInByCode,
  finishSignInByLink,
  forgetIdentities,
  getAccount,
  getBalance,
  getCreator,
  getKey,
  getNotices,
  getOrderReview,
  getProfile,
  findSessions,
  getSession,
  getSignInRules,
  getUsage,
  importChunk,
  inviteMember,
  joinAccount,
  leaveAccount,
  listAccounts,
  listCalls,
  listDeliveries,
  listFilters,
  listInvitations,
  listKeys,
  listLedger,
  listStatement,
  listMembers,
  listOrderReviews,
  listOrders,
  listPacks,
  listSessions,
  lookUpAccounts,
  type MessageContract,
  openAccount,
  purchase,
  publishCreator,
  putCreator,
  removeMember,
  renameAccount,
  requestSignIn,
  refreshOrder,
  refundOrder,
  resolveOrder,
  retryPaymentEvents,
  revokeInvitation,
  searchCreators,
  setSignInRules,
  settle,
  signInWithIdentity,
  startAgreement,
  switchAccount,
  startOrder,
  takePaymentEvent,
  testNotice,
  updateKey,
  WithBytes,
} from './index.js';

/** A message with a payload as a gateway sends it, every optional field given. */
export interface Example {
  readonly pattern: string;
  readonly contract: MessageContract<unknown, unknown>;
  readonly payload: Readonly<Record<string, unknown>>;
  /** What is sent along with the payload. */
  readonly bytes?: Buffer;
}

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const account_id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c';
const hash = 'a1'.repeat(32);
const time = '2026-01-31T12:00:00.123+01:00';
const key = { account_id, key_id: id };
const email = 'ops@acme.example';
const member = { account_id, person_id: id };
const sender = { network: '203.0.113.7', user_agent: 'Firefox' };
const session = { session_hash: hash };
const slug = 'mira-solenne';

/** One of every message. */
export const examples: readonly Example[] = [
  example(createAccount, { account_id, name: 'Acme', email: 'ops@acme.example', idempotency_key: 'a' }),
  example(listAccounts, { limit: 50, cursor: cursorAfter('2026-01-31T12:00:00.000Z', id) }),
  example(getAccount, { account_id }),
  example(getBalance, { account_id }),
  example(charge, {
    ...key,
    charge_id: id,
    request_id: 'r',
    operation: 'search',
    credits: 2,
    filters: ['country'],
    total: 3,
    idempotency_key_hash: hash,
    fingerprint: hash,
  }),
  example(settle, { settlements: [{ charge_id: id, account_id, outcome: 'voided' }] }),
  example(authenticateKeys, { key_hashes: [hash] }),
  example(createKey, {
    ...key,
    name: 'server',
    idempotency_key: 'a',
    key_hash: hash,
    prefix: 'csk_abcd',
    created_by: id,
  }),
  example(listKeys, { account_id }),
  example(getKey, key),
  example(updateKey, { ...key, name: 'other', active: false }),
  example(deleteKey, key),
  example(listLedger, { account_id, limit: 200, cursor: cursorAfter('1') }),
  example(listStatement, { account_id, limit: 200, cursor: cursorAfter('1', '0'), type: 'charge' }),
  example(getUsage, { account_id, from: '2026-01-01', to: '2026-01-31' }),
  example(listCalls, {
    account_id,
    limit: 100,
    cursor: cursorAfter('2026-01-31T12:00:00.000Z', id),
    request_id: 'r',
    from: '2026-01-01',
    to: '2026-01-31',
    key_id: id,
    operation: 'search',
    state: 'voided',
  }),
  example(auditLedger, {}),
  example(listPacks, {}),
  example(purchase, {
    account_id,
    pack: 'enterprise',
    reference: 'order 1',
    credits: 10_000,
    price_cents: 180_000,
    purchased_at: time,
  }),
  example(startAgreement, {
    account_id,
    credits: 10_000,
    price_cents: 180_000,
    starts_at: '2099-01-31T12:00:00Z',
  }),
  example(endAgreement, { account_id }),
  example(adjust, { account_id, credits: -1, reason: 'ours', reference: 'ticket 1' }),
  example(listMembers, { account_id }),
  example(changeMember, { ...member, role: 'owner' }),
  example(removeMember, { ...member, delete_keys: true }),
  example(renameAccount, { account_id, name: 'Acme' }),
  example(inviteMember, { ...member, invitation_id: id, email, role: 'member' }),
  example(revokeInvitation, { account_id, invitation_id: id }),
  example(listInvitations, session),
  example(answerInvitation, { ...session, invitation_id: id, is_accepted: true }),
  example(openAccount, { ...session, account_id }),
  example(joinAccount, { ...session, account_id }),
  example(leaveAccount, { ...session, account_id }),
  example(getSignInRules, { account_id }),
  example(changeSignInRules, { ...session, account_id, provider_only: true, session_hours: 12 }),
  example(setSignInRules, {
    account_id,
    join_domains: ['acme.example'],
    provider_only: true,
    session_hours: 12,
  }),
  example(forgetIdentities, { email }),
  example(getNotices, { account_id }),
  example(changeNotices, {
    account_id,
    balance_threshold: 100,
    notify_on_expiry: true,
    notify_on_payment: true,
    notify_by_email: true,
    webhook_url: '',
  }),
  example(testNotice, { account_id, notice_id: id }),
  example(listDeliveries, { account_id }),
  example(requestSignIn, {
    ...sender,
    email,
    sign_in_id: id,
    browser_hash: hash,
    pages_url: 'https://api.example/account',
  }),
  example(finishSignInByLink, { ...sender, ...session, token_hash: hash }),
  example(finishSignInByCode, { ...sender, ...session, browser_hash: hash, code: '123456' }),
  example(signInWithIdentity, {
    ...sender,
    ...session,
    email,
    issuer: 'https://id.example',
    subject: '7',
  }),
  example(getSession, session),
  example(findSessions, { session_hashes: [hash] }),
  example(switchAccount, { ...session, account_id }),
  example(endSession, { ...session, session_id: id }),
  example(listSessions, session),
  example(createSignInLink, { account_id, email, token_hash: hash }),
  example(describeSelling, {}),
  example(describeSignIn, {}),
  example(startOrder, {
    account_id,
    order_id: id,
    person_id: id,
    pack: 'builder',
    pages_url: 'https://api.example.com/account',
  }),
  example(refreshOrder, { account_id, order_id: id }),
  example(listOrders, { account_id, limit: 50, cursor: cursorAfter('2026-01-31T12:00:00.000Z', id) }),
  example(listOrderReviews, {
    attention: true,
    account_id,
    limit: 50,
    cursor: cursorAfter('2026-01-31T12:00:00.000Z', id),
  }),
  example(getOrderReview, { order_id: id }),
  example(resolveOrder, { order_id: id, resolution: 'granted' }),
  example(refundOrder, { order_id: id, reason: 'fraudulent' }),
  example(acceptOrder, { order_id: id }),
  example(retryPaymentEvents, {}),
  example(takePaymentEvent, { signature: 't=1,v1=00', body: '{}' }),
  example(getProfile, { slug }),
  example(getCreator, { slug }),
  example(putCreator, {
    slug,
    record: { name: 'Mira Solenne', country: 'France', languages: [], categories: [], platforms: [] },
  }),
  example(publishCreator, { slug, published: false }),
  example(deleteCreator, { slug }),
  { ...example(importChunk, { import_id: id, seq: 0, first_line: 1 }), bytes: Buffer.from('{}\n') },
  example(finishImport, { import_id: id }),
  example(searchCreators, {
    q: 'mira',
    country: 'France',
    category: 'Food & Drink',
    language: 'French',
    platform: 'youtube',
    min_followers: 0,
    max_followers: 1_000,
    limit: 50,
    after_slug: slug,
    after_updated_at: time,
  }),
  example(lookUpAccounts, {
    accounts: [{ url: 'https://www.youtube.com/@mirasolenne' }, { platform: 'x', handle: '@mirasolenne' }],
  }),
  example(listFilters, {}),
];

/** Each example with one field of a wrong type, and the name of that field. */
export const malformed = examples.flatMap((one) =>
  [...fieldsOf(one.contract.payload)].map(([field, { of }]) => {
    const value = of ? 'another type' : { of: ['another', 'type'] };
    return { ...one, field, payload: { ...one.payload, [field]: value } };
  }),
);

/** The payload as passed to a client. */
export function toSend({ payload, bytes }: Pick<Example, 'payload' | 'bytes'>): unknown {
  return bytes ? new WithBytes(payload, bytes) : payload;
}

function example(
  contract: MessageContract<unknown, unknown>,
  payload: Readonly<Record<string, unknown>>,
): Example {
  return { pattern: contract.pattern, contract, payload };
}

function cursorAfter(...position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}
