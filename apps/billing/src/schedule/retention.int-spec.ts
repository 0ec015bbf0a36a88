import { dayMs } from '../durations.js';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { oldRows } from '../sweep-statements.js';
import { oldRowsStep } from './old-rows.fixture.js';

const ledger = useAuditedLedger();
const midnight = new Date('2026-01-10T00:00:00.000Z');
const later = (ms: number): Promise<void> => ledger.factory.setClock(new Date(midnight.getTime() + ms));

const rowsIn = async (table: string): Promise<number> => {
  const [row] = await ledger.query<{ rows: number }>(`SELECT count(*)::integer AS rows FROM ${table}`);
  return row?.rows ?? 0;
};

const charge = (stateAndRefusal: string) => `
  charges (id, account_id, key_id, request_id, operation, credits, state, refusal, credits_remaining, created_at, pending_until, settled_at)
  VALUES ($new, $account, $key, 'one', 'search', 0, ${stateAndRefusal}, 0, $at, $at, $at)`;
const order = (state: string) => `
  orders (id, account_id, person_id, pack, credits, price_cents, state, ordered_at, checked_at)
  VALUES ($new, $account, $person, 'trial', 50, 1900, '${state}', $at, $at)`;

/**
 * Of each kind of old rows, how one is inserted whose age counts from `$at`: `$new` is a new id, `$hash` a new hash. And how
 * rows of the same table are that are kept.
 */
const inserts: Readonly<Record<string, { readonly old: string; readonly kept?: string }>> = {
  'old tombstones': { old: `charge_tombstones VALUES ($new, $account, $at)` },
  'refused charges': {
    old: charge(`'refused', 'key_revoked'`),
    kept: charge(`'posted', NULL`),
  },
  'old idempotency keys': { old: `idempotency_keys VALUES ('keys', $hash, $hash, $new, $at)` },
  'old invitations': {
    old: `invitations VALUES ($new, $account, $hash, 'mailbox', 'member', $person, $at, $at + interval '14 days')`,
  },
  'old sessions': {
    old: `sessions VALUES ($new, $hash, $person, $account, '', '', $at - interval '1 day', $at - interval '1 day', $at, 'mail')`,
  },
  'old sign-ins': {
    old: `sign_ins (id, email_folded, link_hash, created_at, expires_at) VALUES ($new, 'a@example.com', $hash, $at, $at)`,
  },
  'old notices': { old: `notices VALUES ($new, $account, 'test', $hash, '{}', $at)` },
  'old orders': { old: order('expired'), kept: order('open') },
  'old payment events': {
    old: `payment_events (id, type, subject_kind, subject_id, source, state, received_at, ended_at)
      VALUES ($hash, 'refund.created', 'payment', 'pi_1', 'webhook', 'done', $at, $at)`,
  },
  'old audits': { old: `audits (id, kind, ended_at, problem) VALUES ($new, 'full', $at, 'test')` },
  'old counts of abandoned calls': { old: `abandoned_calls VALUES ($new, $at::date, 1, 0, $at)` },
  'old counts of free calls': { old: `free_calls VALUES ($account, $at::date, $new, 'search', 1, $at)` },
};

/** Inserts rows of one account, at the present. */
async function inserter(): Promise<(row: string | undefined) => Promise<unknown>> {
  const { accountId, keyId } = await ledger.customer(0);
  const values = {
    $at: 'ledger_now()',
    $new: 'gen_random_uuid()',
    $hash: `encode(sha256(gen_random_uuid()::text::bytea), 'hex')`,
    $account: `'${accountId}'`,
    $key: `'${keyId}'`,
    $person: `'${await ledger.factory.member(accountId, 'a@example.com')}'`,
  };
  return (row = '') =>
    ledger.query(`INSERT INTO ${row.replace(/\$\w+/g, (value) => Reflect.get(values, value) as string)}`);
}

describe.each(oldRows)('$name', ({ name, table, ageMs }) => {
  it('are deleted in batches at their age, not a millisecond before, and nothing else is', async () => {
    await later(0);
    const insert = await inserter();
    const { old, kept } = inserts[name] ?? {};
    for (let row = 0; row < 5; row += 1) await insert(old);
    if (kept !== undefined) await insert(kept);
    await later(dayMs);
    await insert(old);

    const step = oldRowsStep(ledger, name);
    await later(ageMs - 1);
    expect(await step.run(2)).toBe(0);
    await later(ageMs);
    for (const done of [2, 2, 1, 0]) expect(await step.run(2)).toBe(done);
    expect(await rowsIn(table)).toBe(kept === undefined ? 1 : 2);
  });
});
