import { randomUUID } from 'node:crypto';
import { migrate } from '@app/platform/database';
import { BillingFactory, createTestDatabase } from '@app/testing';
import { DataSource } from 'typeorm';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { billingMigrationOptions } from './data-source.js';
import { migrations } from './migrations/index.js';

const ledger = useAuditedLedger();

interface Example {
  readonly accountId: string;
  readonly lotId: string;
}

/** An account with a key and a lot of 10. */
async function example(): Promise<Example> {
  const accountId = await ledger.factory.account();
  await ledger.factory.key(accountId);
  return { accountId, lotId: await ledger.factory.lot({ accountId, credits: 10 }) };
}

function urlOfLedger(): string {
  const { options } = ledger.owner;
  if (options.type !== 'postgres' || options.url === undefined) throw new Error('the ledger has no URL');
  return options.url;
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

const appendOnly = 'ledger_entries is append-only: correct with a new entry';

describe('the schema', () => {
  it('is created by the migrations on an empty database, once, even when two replicas migrate at once', async () => {
    const name = `test_billing_${randomUUID().replaceAll('-', '')}`;
    await ledger.query(`CREATE DATABASE ${name}`);
    const url = new URL(urlOfLedger());
    url.pathname = `/${name}`;
    const open = () => new DataSource(billingMigrationOptions(url.toString())).initialize();
    const dataSources = await Promise.all([open(), open()]);
    try {
      const applied = await Promise.all(dataSources.map((each) => migrate(each)));
      expect(applied.flat()).toEqual(migrations.map((migration) => migration.name));
      expect(await dataSources[0]?.showMigrations()).toBe(false);
    } finally {
      await Promise.all(dataSources.map((dataSource) => dataSource.destroy()));
      await ledger.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it('keeps its data and its rules through later migrations', async () => {
    const older = await createTestDatabase({ name: 'billing', migrations: migrations.slice(0, 1) });
    const dataSource = await new DataSource(billingMigrationOptions(older.url)).initialize();
    const at: Example = { accountId: randomUUID(), lotId: randomUUID() };
    const remaining = () => dataSource.query('SELECT remaining FROM lots');
    const entries = (...credits: number[]) =>
      dataSource.query(
        `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
         SELECT $1, $2, CASE WHEN credits > 0 THEN 'purchase' ELSE 'expiry' END, credits, ledger_now()
         FROM unnest($3::integer[]) AS credits`,
        [at.accountId, at.lotId, credits],
      );
    try {
      await dataSource.query(`INSERT INTO accounts (id, name, email, created_at)
        VALUES ('${at.accountId}', 'name', 'a@customer.example', ledger_now())`);
      await dataSource.query(insertLot(at, { id: at.lotId, credits: 10 }));
      await entries(10);
      await entries(-1, -2);
      expect(await migrate(dataSource)).toEqual(migrations.slice(1).map((migration) => migration.name));
      expect(await remaining()).toEqual([{ remaining: 7 }]);
      await entries(-1, -2);
      expect(await remaining()).toEqual([{ remaining: 4 }]);
      for (const change of [
        'UPDATE ledger_entries SET credits = 1',
        'DELETE FROM ledger_entries',
        'TRUNCATE ledger_entries',
      ]) {
        await expect(dataSource.query(change)).rejects.toThrow('append-only');
      }
    } finally {
      await dataSource.destroy();
      await older.drop();
    }
  });

  it('finds refused charges by age with an index, also in a database with data whose migration was interrupted', async () => {
    const older = await createTestDatabase({ name: 'billing', migrations: migrations.slice(0, 2) });
    const dataSource = await new DataSource(billingMigrationOptions(older.url)).initialize();
    try {
      const factory = new BillingFactory((sql, parameters) => dataSource.query(sql, parameters));
      const accountId = await factory.account();
      await dataSource.query(
        `INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, refusal, credits_remaining,
           created_at, pending_until, settled_at)
         SELECT gen_random_uuid(), $1, $2, 'request', 'search', 0, CASE WHEN call % 10 = 0 THEN 'refused' ELSE 'posted' END,
           CASE WHEN call % 10 = 0 THEN 'key_revoked' END, 0, now, now, now
         FROM generate_series(1, 5000) AS call, ledger_now() AS now`,
        [accountId, await factory.key(accountId)],
      );
      await dataSource.query('CREATE INDEX charges_refused ON charges (id)');
      expect(await migrate(dataSource)).toEqual(migrations.slice(2).map((migration) => migration.name));
      await dataSource.query('ANALYZE charges');
      const plan = await dataSource.query<object[]>(
        `EXPLAIN SELECT id FROM charges WHERE state = 'refused' AND created_at <= (SELECT ledger_now())
         ORDER BY created_at LIMIT 10`,
      );
      expect(JSON.stringify(plan)).toContain('Index Scan using charges_refused');
      const counts = 'SELECT state, count(*)::integer AS count FROM charges GROUP BY state ORDER BY state';
      expect(await dataSource.query(counts)).toEqual([
        { state: 'posted', count: 4_500 },
        { state: 'refused', count: 500 },
      ]);
    } finally {
      await dataSource.destroy();
      await older.drop();
    }
  });

  it('takes over the charges of an older version, also after an interrupted migration, and checks every one', async () => {
    const older = await createTestDatabase({ name: 'billing', migrations: migrations.slice(0, 5) });
    const dataSource = await new DataSource(billingMigrationOptions(older.url)).initialize();
    try {
      const factory = new BillingFactory((sql, parameters) => dataSource.query(sql, parameters));
      const accountId = await factory.account();
      await dataSource.query(
        `INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, refusal, void_reason,
           credits_remaining, created_at, pending_until, settled_at)
         SELECT gen_random_uuid(), $1, $2, 'request', operation, 2, state, refusal, void_reason, 0, now, now,
           CASE WHEN state <> 'pending' THEN now END
         FROM ledger_now() AS now, (VALUES ('search'), ('profile')) AS operations (operation), (VALUES
           ('pending', NULL, NULL), ('posted', NULL, NULL), ('voided', NULL, 'given_up'), ('voided', NULL, 'timed_out'),
           ('refused', 'insufficient_credits', NULL), ('refused', 'key_revoked', NULL)
         ) AS ends (state, refusal, void_reason)`,
        [accountId, await factory.key(accountId)],
      );
      const all = 'SELECT * FROM charges ORDER BY id';
      const before = await dataSource.query<object[]>(all);
      // What an interrupted run leaves behind: the columns, and indexes that were not finished.
      const [columns, indexes] = migrations.slice(5).map((Migration) => new Migration());
      const runner = dataSource.createQueryRunner();
      await columns?.up(runner);
      await runner.query('CREATE INDEX charges_of_request ON charges (id)');
      await runner.query('CREATE INDEX charges_idempotent ON charges (id)');
      await indexes?.up(runner);
      await indexes?.up(runner);
      await runner.release();
      const nothing = {
        filters: null,
        total: null,
        idempotency_key_hash: null,
        fingerprint: null,
        repeat_of: null,
      };
      expect(await dataSource.query(all)).toEqual(before.map((charge) => ({ ...charge, ...nothing })));
      const unchecked = 'SELECT conname FROM pg_constraint WHERE NOT convalidated';
      expect(await dataSource.query(unchecked)).toEqual([]);
      // Another one came with a later migration.
      const definitions = `SELECT indexdef FROM pg_indexes
        WHERE tablename = 'charges' AND indexname <> 'charges_free' ORDER BY indexdef`;
      expect(await dataSource.query(definitions)).toEqual(await ledger.query(definitions));
    } finally {
      await dataSource.destroy();
      await older.drop();
    }
  });

  it('names every constraint', async () => {
    const unnamed = await ledger.query(
      `SELECT conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
       WHERE relnamespace = 'public'::regnamespace AND relname <> 'migrations'
         AND conname ~ '_(pkey|check|fkey|key)[0-9]*$'`,
    );
    expect(unnamed).toEqual([]);
  });

  it.each([
    ['a sixth live key', 'api_keys_slot_range', (at: Example) => insertKey(at, { slot: 6 })],
    ['two live keys in one slot', 'api_keys_slot_unique', (at: Example) => insertKey(at, { slot: 1 })],
    ['a key instead of its hash', 'api_keys_hash_shape', (at: Example) => insertKey(at, { hash: 'csk_x' })],
    ['a lot that lives longer', 'lots_lifetime', (at: Example) => insertLot(at, { days: 31 })],
    ['a lot of 0 credits', 'lots_credits_positive', (at: Example) => insertLot(at, { credits: 0 })],
    [
      'a second use of a reference',
      'lots_reference_unique',
      (at: Example) => insertLot(at, { reference: at.lotId }),
    ],
    [
      'a lot that is full without an entry',
      'a lot opens with 0 credits: its first entry fills it',
      (at: Example) => insertLot(at, { remaining: 5 }),
    ],
    [
      'a lot that changes without an entry',
      'lots change only through ledger_entries',
      () => 'UPDATE lots SET remaining = 9',
    ],
    ['the removal of a lot', 'lots change only through ledger_entries', () => 'DELETE FROM lots'],
    ['a change of an entry', appendOnly, () => 'UPDATE ledger_entries SET credits = 9'],
    ['the removal of an entry', appendOnly, () => 'DELETE FROM ledger_entries'],
    ['the removal of all entries', appendOnly, () => 'TRUNCATE ledger_entries'],
    ['more taken than a lot holds', 'lots_remaining_range', (at: Example) => insertExpiry(at, -11)],
    ['an expiry that adds credits', 'ledger_entries_sign', (at: Example) => insertExpiry(at, 1)],
    ['an adjustment of 0 credits', 'adjustments_credits_not_zero', (at: Example) => insertAdjustment(at, 0)],
    [
      'goodwill without a lot',
      'adjustments_lot_when_goodwill_or_order',
      (at: Example) => insertAdjustment(at, 1),
    ],
    [
      'the filters of a profile',
      'charges_search_details',
      (at: Example) => insertCharge(at, { operation: 'profile', filters: 'q' }),
    ],
    [
      'creators that match a profile',
      'charges_search_details',
      (at: Example) => insertCharge(at, { operation: 'profile', total: 1 }),
    ],
    [
      'fewer than no creators',
      'charges_total_not_negative',
      (at: Example) => insertCharge(at, { total: -1 }),
    ],
    [
      'an Idempotency-Key without its call',
      'charges_idempotency_whole',
      (at: Example) => insertCharge(at, { idempotency_key_hash: 'hash' }),
    ],
    [
      'a repetition that costs something',
      'charges_repeat_free',
      (at: Example) => insertCharge(at, { credits: 1, repeat_of: randomUUID() }),
    ],
    [
      'a repetition that can be repeated itself',
      'charges_repeat_free',
      (at: Example) =>
        insertCharge(at, { repeat_of: randomUUID(), idempotency_key_hash: 'hash', fingerprint: 'hash' }),
    ],
    [
      'an unknown reason of a refusal',
      'charges_refusal_known',
      (at: Example) => insertCharge(at, { state: 'refused', refusal: 'no reason' }),
    ],
    ['a small agreement', 'agreements_credits_min', (at: Example) => insertAgreement(at, 9_999)],
  ])('refuses %s', async (_what, refusal, statement) => {
    expect(await refusalOf(statement(await example()))).toBe(refusal);
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

function insertExpiry({ accountId, lotId }: Example, credits: number): string {
  return `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
    VALUES ('${accountId}', '${lotId}', 'expiry', ${credits}, ledger_now())`;
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
