import { randomUUID } from 'node:crypto';
import { AdminLogRepository, type Queryable } from '#platform/database';
import { type LedgerFixture, openLedger } from '../ledger/ledger.fixture.js';

interface Example {
  readonly accountId: string;
  readonly lotId: string;
}

let ledger: LedgerFixture;
/** For statements that change nothing, because they are refused. */
let unchanged: Example;

beforeAll(async () => {
  ledger = await openLedger();
  unchanged = await example();
});

afterAll(() => ledger.close());

/** An account with a key and a lot of 10. */
async function example(): Promise<Example> {
  const accountId = await ledger.factory.account();
  await ledger.factory.key(accountId);
  return { accountId, lotId: await ledger.factory.lot({ accountId, credits: 10 }) };
}

/** The constraint that refuses a statement or, where a trigger does, its message. */
async function refusalOf(sql: string): Promise<string> {
  try {
    await ledger.query(sql);
  } catch (error) {
    const { constraint, message } = error as { constraint?: string; message: string };
    return constraint ?? message;
  }
  return 'nothing';
}

const foreignEntry = 'an entry is of a lot of its account, and a purchase of the instant of its lot';
const appendOnly = 'ledger_entries is append-only: correct with a new entry';

describe('the schema', () => {
  it('names every constraint', async () => {
    const unnamed = await ledger.query(
      `SELECT conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
       WHERE relnamespace = 'public'::regnamespace AND relname <> 'migrations'
         AND conname ~ '_(pkey|check|fkey|key)[0-9]*$'`,
    );
    expect(unnamed).toEqual([]);
  });

  it.each<[what: string, refusal: string, statement: (at: Example) => string]>([
    ['a sixth live key', 'api_keys_slot_range', (at) => insertKey(at, { slot: 6 })],
    ['two live keys in one slot', 'api_keys_slot_unique', (at) => insertKey(at, { slot: 1 })],
    ['a key instead of its hash', 'api_keys_hash_shape', (at) => insertKey(at, { hash: 'csk_x' })],
    ['a lot that lives longer', 'lots_lifetime', (at) => insertLot(at, { days: 31 })],
    ['a lot of 0 credits', 'lots_credits_positive', (at) => insertLot(at, { credits: 0 })],
    ['a second use of a reference', 'lots_reference_unique', (at) => insertLot(at, { reference: at.lotId })],
    [
      'a lot that is full without an entry',
      'a lot opens with 0 credits: its first entry fills it',
      (at) => insertLot(at, { remaining: 5 }),
    ],
    [
      'a lot that changes without an entry',
      'lots change only through ledger_entries',
      () => 'UPDATE lots SET remaining = 9',
    ],
    [
      'the closing of a lot that has not expired',
      'lots change only through ledger_entries',
      () => 'UPDATE lots SET is_open = false',
    ],
    ['the removal of a lot', 'lots change only through ledger_entries', () => 'DELETE FROM lots'],
    ['a change of an entry', appendOnly, () => 'UPDATE ledger_entries SET credits = 9'],
    ['the removal of an entry', appendOnly, () => 'DELETE FROM ledger_entries'],
    ['the removal of all entries', appendOnly, () => 'TRUNCATE ledger_entries'],
    [
      "an entry of another account's lot",
      foreignEntry,
      (at) => insertExpiry({ ...at, accountId: randomUUID() }, -1),
    ],
    ['an entry without a lot', foreignEntry, (at) => insertExpiry({ ...at, lotId: randomUUID() }, -1)],
    ['more taken than a lot holds', 'lots_remaining_range', (at) => insertExpiry(at, -11)],
    ['an expiry that adds credits', 'ledger_entries_sign', (at) => insertExpiry(at, 1)],
    ['an adjustment of 0 credits', 'adjustments_credits_not_zero', (at) => insertAdjustment(at, 0)],
    ['goodwill without a lot', 'adjustments_lot_when_goodwill_or_order', (at) => insertAdjustment(at, 1)],
    [
      'the filters of a profile',
      'charges_search_details',
      (at) => insertCharge(at, { operation: 'profile', filters: 'q' }),
    ],
    [
      'an Idempotency-Key without its call',
      'charges_idempotency_whole',
      (at) => insertCharge(at, { idempotency_key_hash: 'hash' }),
    ],
    [
      'a repetition that costs something',
      'charges_repeat_free',
      (at) => insertCharge(at, { credits: 1, repeat_of: randomUUID() }),
    ],
    [
      'a repetition that can be repeated itself',
      'charges_repeat_free',
      (at) =>
        insertCharge(at, { repeat_of: randomUUID(), idempotency_key_hash: 'hash', fingerprint: 'hash' }),
    ],
    ['a small agreement', 'agreements_credits_min', (at) => insertAgreement(at, 9_999)],
  ])('refuses %s', async (_what, refusal, statement) => {
    expect(await refusalOf(statement(unchanged))).toBe(refusal);
  });

  it('keeps the log of operators: only what is erased in it changes, and says when', async () => {
    await ledger.query(
      `INSERT INTO admin_log (id, token_name, action, request_id, subject, before, after)
       VALUES (gen_random_uuid(), 'ADMIN_TOKEN', 'account.renamed', 'r', 'eva@example.com',
         '{"email": "eva@example.com", "note": "eva@example.com and more"}', NULL)`,
    );
    const refused = 'admin_log is append-only: only personal data in it can be erased';
    expect(await refusalOf(`UPDATE admin_log SET after = '{}'`)).toBe(refused);
    expect(await refusalOf(`UPDATE admin_log SET action = 'none', erased_at = now()`)).toBe(refused);
    expect(await refusalOf('DELETE FROM admin_log')).toBe('admin_log is append-only');
    expect(await refusalOf('TRUNCATE admin_log')).toBe('admin_log is append-only');
    const log = new AdminLogRepository();
    const on: Queryable = { query: (_name, sql, parameters) => ledger.query(sql, parameters) };
    expect(await log.erase(on, ['eva@example.com'])).toBe(1);
    expect(await log.erase(on, ['eva@example.com'])).toBe(0);
    expect(await ledger.query('SELECT subject, before, after, erased_at FROM admin_log')).toEqual([
      {
        subject: 'erased',
        before: { email: 'erased', note: 'eva@example.com and more' },
        after: null,
        erased_at: expect.any(Date) as Date,
      },
    ]);
  });

  it('adds to a lot all of its entries that are written at once', async () => {
    const at = await example();
    await ledger.query(insertExpiry(at, -4, -6));
    const [lot] = await ledger.query('SELECT remaining FROM lots WHERE id = $1', [at.lotId]);
    expect(lot).toEqual({ remaining: 0 });
  });

  it('refuses a second running agreement', async () => {
    const at = await example();
    await ledger.query(insertAgreement(at, 10_000));
    expect(await refusalOf(insertAgreement(at, 10_000))).toBe('agreements_one_running');
  });
});

function insertKey(
  { accountId }: Example,
  { slot = 2, hash = randomUUID().replaceAll('-', '').repeat(2) }: { slot?: number; hash?: string },
): string {
  return `INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at)
    VALUES ('${randomUUID()}', '${accountId}', 'key', '${hash}', 'csk_x', ${slot}, ledger_now())`;
}

interface LotColumns {
  readonly id?: string;
  readonly days?: number;
  readonly credits?: number;
  readonly remaining?: number;
  readonly reference?: string;
}

/** `reference` as the factory writes it: for an existing lot, that lot's id. */
function insertLot(
  { accountId }: Example,
  { id = randomUUID(), days = 30, credits = 5, remaining = 0, reference = 'new' }: LotColumns,
): string {
  return `INSERT INTO lots (id, account_id, pack, reference, credits, remaining, price_cents, purchased_at, expires_at,
      created_at)
    SELECT '${id}', '${accountId}', 'trial', 'reference ${reference}', ${credits}, ${remaining}, 1900, now,
      now + interval '${days} days', now
    FROM ledger_now() AS now`;
}

/** In one statement. */
function insertExpiry({ accountId, lotId }: Example, ...credits: number[]): string {
  return `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
    SELECT '${accountId}', '${lotId}', 'expiry', unnest(ARRAY[${credits.join(', ')}]), ledger_now()`;
}

/** A charge of nothing, posted, with these columns besides. */
function insertCharge({ accountId }: Example, columns: Readonly<Record<string, string | number>>): string {
  const values = { operation: 'search', credits: 0, state: 'posted', ...columns };
  const literals = Object.values(values).map((value) => (typeof value === 'number' ? value : `'${value}'`));
  return `INSERT INTO charges (id, account_id, key_id, request_id, credits_remaining, created_at, pending_until, settled_at,
      ${Object.keys(values).join(', ')})
    SELECT '${randomUUID()}', '${accountId}', id, 'request', 0, now, now, now, ${literals.join(', ')}
    FROM api_keys, ledger_now() AS now WHERE account_id = '${accountId}'`;
}

function insertAdjustment({ accountId }: Example, credits: number): string {
  return `INSERT INTO adjustments (id, account_id, credits, reason, reference, credits_remaining, created_at)
    VALUES ('${randomUUID()}', '${accountId}', ${credits}, 'reason', 'reference', 0, ledger_now())`;
}

function insertAgreement({ accountId }: Example, credits: number): string {
  return `INSERT INTO agreements (id, account_id, credits, price_cents, starts_at, next_due_at, created_at)
    SELECT '${randomUUID()}', '${accountId}', ${credits}, 1, now, now, now FROM ledger_now() AS now`;
}
