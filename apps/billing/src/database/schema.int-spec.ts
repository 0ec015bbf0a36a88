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
  it.each<[what: string, refusal: string, statement: (at: Example) => string]>([
    ['a sixth live key', 'api_keys_slot_range', (at) => insertKey(at, 6)],
    ['two live keys in one slot', 'api_keys_slot_unique', (at) => insertKey(at, 1)],
    ['a lot that lives longer', 'lots_lifetime', (at) => insertLot(at, { days: 31 })],
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
    ['a second purchase of a lot', 'one_purchase', (at) => insertPurchase(at, 'created_at')],
    ['a purchase of a lot in a later month', foreignEntry, (at) => insertPurchase(at, `'2999-01-01'`)],
    ['more taken than a lot holds', 'lots_remaining_range', (at) => insertExpiry(at, -11)],
    ['an expiry that adds credits', 'ledger_entries_sign', (at) => insertExpiry(at, 1)],
  ])('refuses %s', async (_what, refusal, statement) => {
    expect(await refusalOf(statement(unchanged))).toContain(refusal);
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
});

function insertKey({ accountId }: Example, slot: number): string {
  return `INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at)
    VALUES (gen_random_uuid(), '${accountId}', 'key', repeat('a', 64), 'csk_x', ${slot}, ledger_now())`;
}

interface LotColumns {
  readonly days?: number;
  readonly remaining?: number;
  readonly reference?: string;
}

/** `reference` as the factory writes it: for an existing lot, that lot's id. */
function insertLot(
  { accountId }: Example,
  { days = 30, remaining = 0, reference = 'new' }: LotColumns,
): string {
  return `INSERT INTO lots (id, account_id, pack, reference, credits, remaining, price_cents, purchased_at, expires_at,
      created_at)
    SELECT gen_random_uuid(), '${accountId}', 'trial', 'reference ${reference}', 5, ${remaining}, 1900, now,
      now + interval '${days} days', now
    FROM ledger_now() AS now`;
}

function insertExpiry({ accountId, lotId }: Example, credits: number): string {
  return `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
    VALUES ('${accountId}', '${lotId}', 'expiry', ${credits}, ledger_now())`;
}

function insertPurchase({ lotId }: Example, at: string): string {
  return `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
    SELECT account_id, id, 'purchase', 5, ${at} FROM lots WHERE id = '${lotId}'`;
}
