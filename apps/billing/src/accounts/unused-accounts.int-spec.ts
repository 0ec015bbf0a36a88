import { type SessionView } from '#contracts';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { UnusedPeopleStep } from '../people/records/unused-people.step.js';
import { newHash, sender } from '../people/browser.fixture.js';
import { refusal } from '../people/people.fixture.js';
import { SIGN_IN_OPTIONS } from '../people/sign-in/own-accounts.js';
import { IdentitySignIn } from '../people/sign-in/identity-sign-in.service.js';
import { oldRowsStep } from '../schedule/old-rows.fixture.js';
import { SweepService } from '../schedule/sweep.service.js';
import { UnusedAccountsStep } from './unused-accounts.step.js';

const ledger = useAuditedLedger();
const start = new Date('2026-01-10T12:00:00.000Z');
const day = 86_400_000;
const email = 'stranger@example.com';

const at = (days: number, ms = 0): Promise<void> =>
  ledger.factory.setClock(new Date(start.getTime() + days * day + ms));

/** Sign-in at a replica with open sign-up. */
let identities: IdentitySignIn;
beforeAll(async () => {
  const overrides = new Map([[SIGN_IN_OPTIONS, { isSignUpOpen: true }]]);
  identities = (await ledger.anotherReplica({ overrides })).get(IdentitySignIn);
});
beforeEach(() => at(0));

function signIn(address = email, network = sender.network): Promise<SessionView> {
  const identity = { ...sender, network, email: address, issuer: 'i', subject: address };
  return identities.signIn({ ...identity, session_hash: newHash() }, {});
}

/** An account that a stranger has opened; its id and the person's. */
async function signUp(address = email, network = sender.network) {
  const { account, person_id } = await signIn(address, network);
  return { $account: account?.id ?? '', $person: person_id };
}

async function run(sql: string, ids: Readonly<Record<string, string>>): Promise<void> {
  await ledger.query(sql.replace(/\$[a-z]+/g, (name) => ids[name] ?? name));
}

const idsIn = async (table: string): Promise<string[]> =>
  (await ledger.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);
const sweep = () => ledger.get(SweepService).sweep();

it('an account that a stranger opened and never used is deleted after 90 days, with all that belongs to it', async () => {
  const operators = await ledger.factory.account();
  const owner = await ledger.factory.member(operators, 'owner@example.com', 'owner');
  const ids = await signUp();
  await ledger.factory.member(ids.$account, 'colleague@example.com');
  await ledger.factory.key(ids.$account);
  for (const sql of [
    `UPDATE api_keys SET deleted_at = ledger_now(), created_by = '$person'`,
    `INSERT INTO notice_settings (account_id, balance_checked_at) VALUES ('$account', ledger_now())`,
    `INSERT INTO invitations VALUES (gen_random_uuid(), '$account', 'x@y.example', 'x@y.example', 'member', '$person',
       ledger_now() + interval '89 days', ledger_now() + interval '99 days')`,
  ]) {
    await run(sql, ids);
  }
  await at(90, -1);
  await sweep();
  expect(await idsIn('accounts')).toHaveLength(2);
  expect(await idsIn('people')).toHaveLength(3);
  await at(98);
  await sweep();
  expect(await idsIn('accounts')).toEqual([operators]);
  expect(await idsIn('people')).toEqual([owner]);
  for (const table of ['invitations', 'api_keys', 'sessions']) expect(await idsIn(table)).toEqual([]);
  expect(await ledger.query('SELECT subject FROM identities')).toEqual([]);
});

const lot = `INSERT INTO lots (id, account_id, pack, reference, credits, price_cents, purchased_at, expires_at, created_at)
  VALUES (gen_random_uuid(), '$account', 'trial', 'one', 50, 1900, ledger_now(), ledger_now() + interval '30 days', ledger_now());
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
  SELECT account_id, id, 'purchase', credits, created_at FROM lots`;
const deletedKey = `INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at, deleted_at)
  VALUES ('$account', '$account', 'a', repeat('a', 64), 'csk_test', 1, ledger_now(), ledger_now())`;

it.each([
  ['credits, used or expired', lot],
  [
    'an agreement',
    `INSERT INTO agreements (id, account_id, credits, price_cents, starts_at, next_due_at, created_at)
     VALUES (gen_random_uuid(), '$account', 10000, 180000, '2026-04-20', '2026-04-20', ledger_now())`,
  ],
  [
    'an order',
    `INSERT INTO orders (id, account_id, person_id, pack, credits, price_cents, state, ordered_at, checked_at)
     VALUES (gen_random_uuid(), '$account', '$person', 'trial', 50, 1900, 'processing', ledger_now(), ledger_now())`,
  ],
  [
    'a free call',
    `${deletedKey};
     INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at, pending_until, settled_at)
     SELECT gen_random_uuid(), '$account', '$account', 'one', 'search', 0, 'posted', 0, at, at, at
     FROM (SELECT ledger_now() + interval '80 days' AS at) AS later`,
  ],
  [
    'a live key',
    `INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at)
     VALUES (gen_random_uuid(), '$account', 'a', repeat('a', 64), 'csk_test', 1, ledger_now())`,
  ],
  [
    'a session of a member',
    `UPDATE sessions SET expires_at = ledger_now() + interval '99 days', account_id = NULL`,
  ],
  [
    'a member who was seen in another account',
    `INSERT INTO accounts (id, name, email, created_at) VALUES ('$person', 'other', 'a@b.example', ledger_now());
     INSERT INTO members VALUES ('$person', '$person', 'member', ledger_now(), ledger_now() + interval '5 days')`,
  ],
])('an account with %s is kept', async (what, sql) => {
  const ids = await signUp();
  await run(sql, ids);
  await at(94);
  await ledger.get(UnusedAccountsStep).run(100);
  expect(await idsIn('accounts')).toContain(ids.$account);
  expect(await ledger.get(UnusedAccountsStep).run(100)).toBe(0);
  // One that has had credits is not checked again.
  const hasHadCredits = what.startsWith('credits') || what === 'an agreement';
  const unchecked = 'SELECT FROM accounts WHERE id = $1 AND next_check_at IS NULL';
  expect(await ledger.query(unchecked, [ids.$account])).toHaveLength(hasHadCredits ? 1 : 0);
});

it('a person that nothing refers to is deleted, but not while the address is decided about or invited', async () => {
  const swept = async (): Promise<number> => {
    await ledger.get(UnusedPeopleStep).run(100);
    return (await idsIn('people')).length;
  };
  const account = await ledger.factory.account();
  const owner = await ledger.factory.member(account, 'owner@example.com', 'owner');
  const person = `INSERT INTO people (id, email_folded, created_at) VALUES (gen_random_uuid(), $1, ledger_now())`;
  await ledger.query(person, [email]);
  await ledger.ownerTransactions.run([], async ({ query }) => {
    await query('test', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [email]);
    expect(await swept()).toBe(2);
  });
  expect(await swept()).toBe(1);
  await ledger.query(person, [email]);
  await ledger.query(
    `INSERT INTO invitations VALUES (gen_random_uuid(), $1, $2, $2, 'member', $3, ledger_now(), ledger_now())`,
    [account, email, owner],
  );
  expect(await swept()).toBe(2);
});

describe('accounts opened from one network in 24 hours', () => {
  const open = (network: string) => refusal(signUp(`${newHash().slice(0, 20)}@example.com`, network));

  /** Accounts that were opened already; `network` is SQL for where from, by the `number` of the account. */
  const opened = (count: number, network: string) =>
    ledger.query(
      `INSERT INTO accounts (id, name, email, created_at, signed_up_from)
       SELECT gen_random_uuid(), 'one', 'a@b.example', ledger_now(), ${network} FROM generate_series(1, $1::integer) AS number`,
      [count],
    );

  it('are limited to 20, not counting those of operators; signing in still works', async () => {
    await ledger.factory.account();
    await signUp();
    await opened(14, `'${sender.network}'`);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => open(sender.network)));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(5);
    expect(await open('203.0.113.70')).toBeNull();
    expect((await signIn()).email).toBe(email);
    await at(1, 1);
    expect(await open(sender.network)).toBeNull();
  });

  it('are no longer known by their networks after that', async () => {
    const networks = () => ledger.query('SELECT signed_up_from FROM accounts');
    await signUp();
    const step = oldRowsStep(ledger, 'networks of sign-ups');
    await at(1, -1);
    expect([await step.run(10), await networks()]).toEqual([0, [{ signed_up_from: sender.network }]]);
    await at(1, 1);
    expect([await step.run(10), await networks()]).toEqual([1, [{ signed_up_from: null }]]);
  });

  it('are limited to 80 from a /56 and to 320 from a /48', async () => {
    await opened(79, `'20010db8000012' || lpad(to_hex(number % 79), 2, '0')`);
    expect(await open('2001:db8:0:12ff')).toBeNull();
    expect(await open('2001:db8:0:12ff')).toBe('rate_limited');
    expect(await open('2001:db8:0:13ff')).toBeNull();
    await opened(239, `'20010db800002' || lpad(to_hex(number), 3, '0')`);
    expect(await open('2001:db8:0:f')).toBe('rate_limited');
    expect(await open('2001:db8:1:f')).toBeNull();
  });
});
